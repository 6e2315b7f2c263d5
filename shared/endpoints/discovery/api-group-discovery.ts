import type { ResourceFacts, SubresourceFacts } from '#shared/api/facts.ts';

/** A resource as a server registers it. {@link ResourceFacts} has this shape; a custom resource builds its own. */
export type RegisteredResource = Pick<
  ResourceFacts,
  | 'resource'
  | 'singular'
  | 'kind'
  | 'namespaced'
  | 'shortNames'
  | 'categories'
  | 'verbs'
  | 'subresources'
  | 'storageVersionHash'
>;

/** A group version that a server serves, with its enabled resources. */
export interface RegisteredVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly RegisteredResource[];
  /** Whether a kind names its group and version even where they equal the document's (custom resources). */
  readonly namesOwnKinds?: boolean;
}

/**
 * The documents of `apidiscovery.k8s.io/v2` (k8s.io/api/apidiscovery/v2); keys are in the order of upstream's structs.
 */
export interface APIGroupDiscoveryList {
  readonly kind: 'APIGroupDiscoveryList';
  readonly apiVersion: string;
  readonly metadata: Record<string, never>;
  readonly items: readonly APIGroupDiscovery[];
}

export interface APIGroupDiscovery {
  readonly metadata: { readonly name?: string };
  readonly versions: readonly APIVersionDiscovery[];
}

export interface APIVersionDiscovery {
  readonly version: string;
  readonly resources?: readonly APIResourceDiscovery[];
  readonly freshness: 'Current' | 'Stale';
}

export interface APIResourceDiscovery {
  readonly resource: string;
  readonly responseKind: ResponseKind;
  /** Empty where a registered server does not give it. */
  readonly scope: 'Namespaced' | 'Cluster' | '';
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly APISubresourceDiscovery[];
}

export interface APISubresourceDiscovery {
  readonly subresource: string;
  readonly responseKind: ResponseKind;
  readonly verbs: readonly string[];
}

/** Group and version are empty where they equal those of the document. */
export interface ResponseKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The aggregated form of one group version, with freshness Current. */
export function versionDiscovery(of: RegisteredVersion): APIVersionDiscovery {
  return {
    version: of.version,
    ...(of.resources.length > 0 && {
      resources: byName(of.resources).map((resource) => resourceDiscovery(of, resource)),
    }),
    freshness: 'Current',
  };
}

/** Groups the versions and keeps their order. */
export function groupDiscoveries(versions: readonly RegisteredVersion[]): APIGroupDiscovery[] {
  const groups = new Map<string, APIVersionDiscovery[]>();
  for (const version of versions) {
    const group = groups.get(version.group);
    if (group === undefined) groups.set(version.group, [versionDiscovery(version)]);
    else group.push(versionDiscovery(version));
  }
  return [...groups].map(([name, found]) => groupDiscovery(name, found));
}

/** One group of an aggregated document. */
export function groupDiscovery(name: string, versions: readonly APIVersionDiscovery[]): APIGroupDiscovery {
  return { metadata: name === '' ? {} : { name }, versions };
}

/** The whole response at `/api` (the core group alone) or `/apis` (all other groups). */
export function discoveryList(items: readonly APIGroupDiscovery[], version = 'v2'): APIGroupDiscoveryList {
  return { kind: 'APIGroupDiscoveryList', apiVersion: `apidiscovery.k8s.io/${version}`, metadata: {}, items };
}

/** Resources sorted as the reference installs them. */
export function byName<T extends { readonly resource: string }>(resources: readonly T[]): T[] {
  return resources.toSorted((a, b) => (a.resource < b.resource ? -1 : 1));
}

function resourceDiscovery(of: RegisteredVersion, resource: RegisteredResource): APIResourceDiscovery {
  const { shortNames, categories, subresources } = resource;
  return {
    resource: resource.resource,
    responseKind:
      of.namesOwnKinds === true
        ? { group: of.group, version: of.version, kind: resource.kind }
        : { group: '', version: '', kind: resource.kind },
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: resource.singular,
    verbs: resource.verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && { subresources: subresources.map((sub) => subresourceDiscovery(of, sub)) }),
  };
}

function subresourceDiscovery(of: RegisteredVersion, { name, kind, verbs }: SubresourceFacts): APISubresourceDiscovery {
  const own = of.namesOwnKinds !== true && kind.group === of.group && kind.version === of.version;
  return { subresource: name, responseKind: own ? { group: '', version: '', kind: kind.kind } : { ...kind }, verbs };
}
