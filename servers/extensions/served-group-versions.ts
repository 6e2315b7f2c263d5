import type { Facts } from '#shared/api/facts.ts';
import type { ServedGroupVersion } from '#shared/process/control-stream.ts';
import type { DefinitionFeed } from './crds/definition-feed.ts';
import type { DefinitionView } from './facts/definition-view.ts';
import { extensionsGroup } from './facts/extension-facts.ts';

/** Priorities of every group version that comes from definitions (kube-apiserver's crdregistration controller). */
const definedPriorities = { groupPriority: 1000, versionPriority: 100 };

/**
 * This server's own group, and the group versions of all definitions, including definitions that are not established:
 * the reference registers a version as soon as it is defined (pkg/controlplane/controller/crdregistration), although
 * its resources may never be served.
 */
export function servedGroupVersions(facts: Facts, definitions: Iterable<DefinitionView>): ServedGroupVersion[] {
  const own = facts
    .groups()
    .filter(({ name }) => name === extensionsGroup)
    .flatMap(({ name, groupPriority, versions }) =>
      versions.map(({ version, versionPriority }) => ({ group: name, version, groupPriority, versionPriority })),
    );
  const defined = new Map<string, ServedGroupVersion>();
  for (const { group, versions } of definitions) {
    for (const { name, served } of versions)
      if (served) defined.set(`${group}/${name}`, { group, version: name, ...definedPriorities, defined: true });
  }
  const byName = (a: ServedGroupVersion, b: ServedGroupVersion): number =>
    `${a.group}/${a.version}` < `${b.group}/${b.version}` ? -1 : 1;
  return [...own, ...[...defined.values()].toSorted(byName)];
}

/** Calls `call` when discovery may have changed: once at the start, and once for all changes that arrive together. */
export function whenDiscoveryChanges(feed: Pick<DefinitionFeed, 'subscribe'>, call: () => void): void {
  const known = new Map<string, string>();
  let called = false;
  const soon = (): void => {
    if (called) return;
    called = true;
    queueMicrotask(() => {
      called = false;
      call();
    });
  };
  soon();
  feed.subscribe((name, view) => {
    const now = view === undefined ? '' : discoveryTextOf(view);
    if (now === (known.get(name) ?? '')) return;
    if (now === '') known.delete(name);
    else known.set(name, now);
    soon();
  });
}

/** The parts of a definition that appear in discovery documents, as text for comparison. */
function discoveryTextOf({ established, namespaced, names, storageVersion, versions }: DefinitionView): string {
  return JSON.stringify([
    established,
    namespaced,
    names,
    storageVersion,
    versions.map(({ name, served, status, scale }) => [name, served, status, scale !== undefined]),
  ]);
}
