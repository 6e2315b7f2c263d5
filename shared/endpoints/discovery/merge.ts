import { compareVersions } from '#shared/apimachinery/version-order.ts';
import { groupDiscovery } from './api-group-discovery.ts';
import type { APIGroupDiscovery, APIVersionDiscovery } from './api-group-discovery.ts';
import type { GroupVersions } from './legacy-documents.ts';

/** The fields of an APIService's spec that decide its position, under the same names. */
export interface ServicePriority {
  readonly group: string;
  readonly version: string;
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
}

/** An APIService with the last discovery read from its backend. */
export interface DiscoverySource extends ServicePriority {
  /** Groups of the backend's aggregated document; undefined where none was ever read. */
  readonly groups: readonly APIGroupDiscovery[] | undefined;
  /** The last attempt to read the document failed: the previous one is shown, marked Stale. */
  readonly stale: boolean;
}

/** The aggregator's own group comes before all others and has no APIService (kube-aggregator, handler_discovery.go). */
export const apiRegistrationPriority: ServicePriority = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  groupPriorityMinimum: 20001,
  versionPriority: 0,
};

/**
 * The gateway's document: each APIService contributes its one group version, taken from its backend's document. Where
 * the backend does not list that version, the entry has no resources. There is one entry per group version.
 */
export function mergeDiscovery(sources: readonly DiscoverySource[]): APIGroupDiscovery[] {
  const found = new Map<string, APIVersionDiscovery>();
  const indexes = new Map<DiscoverySource['groups'], VersionIndex>();
  for (const { group, version, groups, stale } of sources) {
    let index = indexes.get(groups);
    if (index === undefined) indexes.set(groups, (index = indexOf(groups ?? [])));
    const known = index.get(group)?.get(version);
    const { freshness: _, ...entry } = known ?? { version, freshness: 'Current' };
    found.set(`${group}/${version}`, { ...entry, freshness: stale ? 'Stale' : 'Current' });
  }
  return groupsByPriority(sources).map(({ group, versions }) =>
    groupDiscovery(
      group,
      versions.flatMap((version) => found.get(`${group}/${version}`) ?? []),
    ),
  );
}

type VersionIndex = ReadonlyMap<string, ReadonlyMap<string, APIVersionDiscovery>>;

/** The first entry of each version in the first entry of each group: a backend may have thousands of both. */
function indexOf(groups: readonly APIGroupDiscovery[]): VersionIndex {
  const index = new Map<string, Map<string, APIVersionDiscovery>>();
  for (const { metadata, versions } of groups) {
    const name = metadata.name ?? '';
    if (index.has(name)) continue;
    const ofGroup = new Map<string, APIVersionDiscovery>();
    for (const entry of versions) if (!ofGroup.has(entry.version)) ofGroup.set(entry.version, entry);
    index.set(name, ofGroup);
  }
  return index;
}

/**
 * Groups by their highest `groupPriorityMinimum`, then by name; versions by `versionPriority`, then by {@link
 * compareVersions}.
 */
export function groupsByPriority(services: readonly ServicePriority[]): GroupVersions[] {
  const groups = new Map<string, { priority: number; versions: Map<string, number> }>();
  for (const { group, version, groupPriorityMinimum, versionPriority } of services) {
    const known = groups.get(group) ?? { priority: groupPriorityMinimum, versions: new Map<string, number>() };
    known.priority = Math.max(known.priority, groupPriorityMinimum);
    known.versions.set(version, versionPriority);
    groups.set(group, known);
  }
  return [...groups]
    .toSorted(([a, left], [b, right]) => right.priority - left.priority || (a < b ? -1 : 1))
    .map(([group, { versions }]) => ({
      group,
      versions: [...versions]
        .toSorted(([a, left], [b, right]) => right - left || compareVersions(a, b))
        .map(([name]) => name),
    }));
}
