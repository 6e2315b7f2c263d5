import { FieldSet } from '#shared/apimachinery/managed-fields/field-set.ts';
import type { VersionedSet } from '#shared/apimachinery/managed-fields/managers.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import { secondsOf } from './managed-fields.ts';
import { managerIdentifier } from './manager-identifier.ts';

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
  const parts = new Map<string, FieldSet[]>();
  const partsOf = (identifier: string): FieldSet[] => {
    const set = sets.get(identifier)?.set;
    return parts.get(identifier) ?? (set === undefined ? [] : [set]);
  };
  const remove = (identifier: string): void => {
    sets.delete(identifier);
    parts.delete(identifier);
  };
  let count = updaters.length;
  for (const identifier of updaters) {
    if (count <= maxUpdateManagers) break;
    const merged = sets.get(identifier) as VersionedSet;
    const { apiVersion } = merged;
    const first = firstOfVersion.get(apiVersion);
    if (first === undefined) {
      firstOfVersion.set(apiVersion, identifier);
      continue;
    }
    const bucket = managerIdentifier({ manager: 'ancient-changes', operation: 'Update', apiVersion, subresource: '' });
    const all = partsOf(sets.has(bucket) ? bucket : first);
    if (identifier !== bucket) for (const part of partsOf(identifier)) all.push(part);
    if (!sets.has(bucket)) remove(first);
    sets.set(bucket, merged);
    parts.set(bucket, all);
    remove(identifier);
    count--;
    // The time is that of the newest of the merged entries.
    const time = times.get(identifier);
    if (time === undefined) times.delete(bucket);
    else times.set(bucket, time);
  }
  // The sets are merged at the end, as there may be tens of thousands.
  for (const [bucket, all] of parts) sets.set(bucket, { ...(sets.get(bucket) as VersionedSet), set: unionOf(all) });
}

/** The union of many sets; each path is merged a few times only. */
function unionOf(sets: readonly FieldSet[]): FieldSet {
  let all = sets;
  while (all.length > 1) {
    const halved: FieldSet[] = [];
    for (let i = 0; i < all.length; i += 2) halved.push((all[i] as FieldSet).union(all[i + 1] ?? FieldSet.empty));
    all = halved;
  }
  return all[0] ?? FieldSet.empty;
}
