import { setImmediate } from 'node:timers/promises';
import type { RestResources } from '../../shared/registry/create-rest-resources.ts';

/** kube-apiserver keeps no cache of them (`pkg/kubeapiserver/default_storage_factory_builder.go`, cache size 0): they are many, and few ask. */
const notKept: ReadonlySet<string> = new Set(['events']);

/**
 * Fills the caches of everything stored, one after the other: reads go on when storage goes away, as in the reference, also
 * of what nobody has read yet. A cache that cannot be filled tries again by itself.
 */
export async function fillCaches(resources: RestResources, isOver: () => boolean): Promise<void> {
  const stored = resources.facts.groups()
    .flatMap(({ versions }) => versions)
    .flatMap((version) => version.resources)
    .filter(({ group, version, resource, storageVersion }) => storageVersion !== '' && !notKept.has(resource) && resources.serves(group, version, resource));
  for (const { group, resource } of stored) {
    // To load a type takes its time: each in a turn of its own.
    await setImmediate();
    if (isOver()) return;
    await resources.caches.cache(group, resource).ready();
  }
}
