import { compareUtf8 } from '../../apimachinery/go-format.ts';
import type { VersionedSet } from '../../apimachinery/managed-fields/managers.ts';
import { managerIdentifier } from './manager-identifier.ts';
import { secondsOf } from './managed-fields.ts';

/** The most managers with the operation Update that an object may have. */
const maxUpdateManagers = 10;

/**
 * Merges the oldest Update managers of a version into one until there are few enough; Apply managers are never merged
 * (apimachinery/pkg/util/managedfields/internal/capmanagers.go).
 */
export function capUpdateManagers(sets: Map<string, VersionedSet>, times: Map<string, string>): void {
  const updaters = [...sets].filter(([, { applied }]) => !applied).map(([identifier]) => identifier);
  if (updaters.length <= maxUpdateManagers) return;
  updaters.sort((a, b) => secondsOf(times.get(a)) - secondsOf(times.get(b)) || compareUtf8(a, b));
  const firstOfVersion = new Map<string, string>();
  let count = updaters.length;
  for (const identifier of updaters) {
    if (count <= maxUpdateManagers) return;
    const merged = sets.get(identifier) as VersionedSet;
    const { apiVersion } = merged;
    const first = firstOfVersion.get(apiVersion);
    if (first === undefined) {
      firstOfVersion.set(apiVersion, identifier);
      continue;
    }
    const bucket = managerIdentifier({ manager: 'ancient-changes', operation: 'Update', apiVersion, subresource: '' });
    const before = sets.get(bucket) ?? sets.get(first);
    if (!sets.has(bucket)) sets.delete(first);
    sets.set(bucket, { ...merged, set: before === undefined ? merged.set : merged.set.union(before.set) });
    sets.delete(identifier);
    count--;
    // The time is that of the newest of the merged entries.
    const time = times.get(identifier);
    if (time === undefined) times.delete(bucket);
    else times.set(bucket, time);
  }
}
