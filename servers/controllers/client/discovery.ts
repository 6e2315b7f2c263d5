import type { ApiClient } from './api-client.ts';

/** A resource in the version that its group prefers. */
export interface ApiResource {
  readonly group: string;
  readonly version: string;
  /** Plural, in paths. */
  readonly resource: string;
  readonly kind: string;
  readonly isNamespaced: boolean;
  readonly verbs: ReadonlySet<string>;
}

/** The resources of a cluster at one moment. */
export interface DiscoveredResources {
  readonly resources: readonly ApiResource[];
  /** By group version why its resources are not known, in client-go's words. */
  readonly failures: ReadonlyMap<string, string>;
}

/** apidiscovery.k8s.io/v2, as far as it is read. */
interface GroupList {
  readonly items?: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      readonly freshness?: string;
      readonly resources?: readonly {
        readonly resource: string;
        readonly responseKind?: { readonly kind?: string };
        readonly scope: string;
        readonly verbs?: readonly string[];
      }[];
    }[];
  }[];
}

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Reads which resources are served, built-in, custom and of registered servers. */
export async function discoverResources(client: ApiClient): Promise<DiscoveredResources> {
  const lists = await Promise.all(
    ['/api', '/apis'].map((path) => client.send<GroupList>({ path, accept: aggregated })),
  );
  const resources: ApiResource[] = [];
  const failures = new Map<string, string>();
  for (const { metadata, versions = [] } of lists.flatMap(({ items = [] }) => items)) {
    const group = metadata.name ?? '';
    const seen = new Set<string>();
    for (const { version, freshness, resources: served = [] } of versions) {
      const groupVersion = group === '' ? version : `${group}/${version}`;
      if (freshness === 'Stale') {
        failures.set(groupVersion, `stale GroupVersion discovery: ${groupVersion}`);
        continue;
      }
      for (const { resource, responseKind, scope, verbs = [] } of served) {
        if (seen.has(resource)) continue;
        seen.add(resource);
        const kind = responseKind?.kind ?? '';
        resources.push({ group, version, resource, kind, isNamespaced: scope === 'Namespaced', verbs: new Set(verbs) });
      }
    }
  }
  return { resources, failures };
}

/** The path of a collection: all of a resource, or those of a namespace. */
export function collectionPath({ group, version, resource }: ApiResource, namespace = ''): string {
  const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${base}/${namespace === '' ? '' : `namespaces/${encodeURIComponent(namespace)}/`}${resource}`;
}

export function objectPath(resource: ApiResource, namespace: string, name: string): string {
  return `${collectionPath(resource, resource.isNamespaced ? namespace : '')}/${encodeURIComponent(name)}`;
}

/** The text of an `apiVersion` before its version. */
export function groupOf(apiVersion: string): string {
  const at = apiVersion.indexOf('/');
  return at < 0 ? '' : apiVersion.slice(0, at);
}
