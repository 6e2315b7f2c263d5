import { FieldSet } from '#shared/apimachinery/managed-fields/field-set.ts';
import type { VersionedSet } from '#shared/apimachinery/managed-fields/managers.ts';

/** Fields that have no owner in any type. */
const neverOwned = FieldSet.of(
  ['apiVersion'],
  ['kind'],
  ['metadata'],
  ['metadata', 'name'],
  ['metadata', 'namespace'],
  ['metadata', 'creationTimestamp'],
  ['metadata', 'selfLink'],
  ['metadata', 'uid'],
  ['metadata', 'clusterName'],
  ['metadata', 'generation'],
  ['metadata', 'managedFields'],
  ['metadata', 'resourceVersion'],
);

export function strip(sets: Map<string, VersionedSet>, identifier: string): void {
  const versioned = sets.get(identifier);
  if (versioned === undefined) return;
  const set = versioned.set.difference(neverOwned);
  if (set.isEmpty) sets.delete(identifier);
  else if (set !== versioned.set) sets.set(identifier, { ...versioned, set });
}
