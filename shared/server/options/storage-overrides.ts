import { loadFacts } from '#shared/api/load-facts.ts';

/** `--etcd-servers-overrides`: a resource whose objects are stored in another etcd. */
interface StorageOverride {
  /** The resource's own prefix of keys, after `--etcd-prefix` (`events`). */
  readonly storagePrefix: string;
  readonly endpoints: readonly string[];
}

/** Reads `group/resource#url;url`, with an empty group for the core group. Undefined for anything else. */
function parseOverride(text: string): { group: string; resource: string; endpoints: string[] } | undefined {
  const match = /^([^/#]*)\/([^/#]+)#(.+)$/.exec(text);
  if (match === null) return undefined;
  const [, group = '', resource = '', servers = ''] = match;
  return { group, resource, endpoints: servers.split(';') };
}

/** Errors in the flag, in the reference's words. */
export function validateStorageOverrides(texts: readonly string[]): string[] {
  return texts.flatMap((text) => {
    const override = parseOverride(text);
    if (override === undefined)
      return [
        `--etcd-servers-overrides invalid, must be of format: group/resource#servers, where servers are URLs, semicolon separated`,
      ];
    return override.endpoints.every((endpoint) => URL.canParse(endpoint))
      ? []
      : [
          `--etcd-servers-overrides invalid, must be of format: group/resource#servers, where servers are URLs, semicolon separated`,
        ];
  });
}

/** The overrides by storage prefix. Resources that are unknown or not stored are left out. */
export function storageOverrides(texts: readonly string[]): StorageOverride[] {
  if (texts.length === 0) return [];
  const stored = loadFacts()
    .groups()
    .flatMap(({ versions }) => versions)
    .flatMap(({ resources }) => resources)
    .filter(({ storageVersion }) => storageVersion !== '');
  return texts.flatMap((text) => {
    const override = parseOverride(text);
    const facts = stored.find(({ group, resource }) => group === override?.group && resource === override.resource);
    return facts === undefined || override === undefined
      ? []
      : [{ storagePrefix: facts.storagePrefix, endpoints: override.endpoints }];
  });
}
