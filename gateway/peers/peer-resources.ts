import type { APIGroupDiscovery } from '#shared/endpoints/discovery/api-group-discovery.ts';
import type { ExcludedVersions } from './excluded-versions.ts';
import type { PeerDocument } from './read-peer.ts';

/** What this server serves by itself. */
export interface LocalResources {
  /** Keys of resources. */
  readonly keys: ReadonlySet<string>;
  /** `group/version` of those whose resources are not known now: requests for them stay here. */
  readonly unknown: ReadonlySet<string>;
}

/** `group/version/resource`; none of the three has a slash. */
export function resourceKey(group: string, version: string, resource: string): string {
  return `${group}/${version}/${resource}`;
}

/** The keys of all resources in a document. */
export function* resourceKeys(groups: readonly APIGroupDiscovery[]): Iterable<string> {
  for (const { metadata, versions } of groups)
    for (const { version, resources = [] } of versions)
      for (const { resource } of resources) yield resourceKey(metadata.name ?? '', version, resource);
}

/** A peer's document without the excluded group versions, and without groups that have no other. */
export function withoutExcluded(document: PeerDocument, excluded: Pick<ExcludedVersions, 'has'>): PeerDocument {
  return document.flatMap((group): APIGroupDiscovery[] => {
    const versions = group.versions.filter(({ version }) => !excluded.has(group.metadata.name ?? '', version));
    if (versions.length === group.versions.length) return [group];
    return versions.length === 0 ? [] : [{ ...group, versions }];
  });
}

/** The peers that serve each resource which this server does not serve. */
export function resourcesOfPeersOnly(
  documents: ReadonlyMap<string, PeerDocument>,
  local: LocalResources,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [id, document] of documents) {
    for (const key of resourceKeys(document)) {
      if (local.keys.has(key) || local.unknown.has(key.slice(0, key.lastIndexOf('/')))) continue;
      const ids = found.get(key);
      if (ids === undefined) found.set(key, [id]);
      else if (ids.at(-1) !== id) ids.push(id);
    }
  }
  return found;
}
