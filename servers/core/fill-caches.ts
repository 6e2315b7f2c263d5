import { setImmediate } from 'node:timers/promises';
import { isUncached } from '#shared/registry/create-resource-caches.ts';
import type { RestResources } from '#shared/registry/create-rest-resources.ts';

/**
 * Fills the caches of all stored resources, one after the other. As in the reference, reads then work when storage is
 * unavailable, even of resources that no client has read before. A cache that cannot be filled tries again by itself.
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
    // Loading a type takes some time, so each is loaded in its own turn of the event loop.
    await setImmediate();
    if (isOver()) return;
    await resources.caches.cache(group, resource).fill();
  }
}
