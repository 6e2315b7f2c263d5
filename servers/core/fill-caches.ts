import { setImmediate } from 'node:timers/promises';
import { isUncached } from '../../shared/registry/create-resource-caches.ts';
import type { RestResources } from '../../shared/registry/create-rest-resources.ts';

/**
 * Fills the caches of everything stored, one after the other: reads go on when storage goes away, as in the reference,
 * also of what nobody has read yet. A cache that cannot be filled tries again by itself.
 */
export async function fillCaches(resources: RestResources, isOver: () => boolean): Promise<void> {
  const stored = resources.facts
    .groups()
    .flatMap(({ versions }) => versions)
    .flatMap((version) => version.resources)
    .filter(
      ({ group, version, resource, storageVersion }) =>
        storageVersion !== '' && !isUncached(resource) && resources.serves(group, version, resource),
    );
  for (const { group, resource } of stored) {
    // To load a type takes its time: each in a turn of its own.
    await setImmediate();
    if (isOver()) return;
    await resources.caches.cache(group, resource).ready();
  }
}
