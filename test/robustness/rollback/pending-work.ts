import type { ListedObject, ListedState } from './listed-object.ts';

const isGoing = ({ metadata }: ListedObject): boolean => metadata.deletionTimestamp !== undefined;
const has = ({ metadata }: ListedObject, finalizer: string): boolean =>
  isGoing({ metadata }) && metadata.finalizers?.includes(finalizer) === true;

/**
 * Whether controllers have something left to do in a state, though they may be pausing: clean-ups look once a second
 * whether the last object is gone, and garbage collection tries again after growing pauses.
 */
export function isWaitingForControllers(state: ListedState): boolean {
  return isEmptyAndGoing(state) || hasGarbage([...state.values()]);
}

/** Whether a definition or a namespace is being deleted and has no objects left. */
function isEmptyAndGoing(state: ListedState): boolean {
  const objects = [...state];
  return objects.some(([place, object]) => {
    const { name } = object.metadata;
    if (!isGoing(object)) return false;
    if (place.startsWith('customresourcedefinitions.')) return !objects.some(([at]) => at.startsWith(`${name}/`));
    return place.startsWith('namespaces./') && !objects.some(([, { metadata }]) => metadata.namespace === name);
  });
}

/**
 * Whether an owner's deletion waits for the collector, or a dependent's owner is gone. All owners in random writes are
 * the only ones of their dependents.
 */
function hasGarbage(objects: readonly ListedObject[]): boolean {
  const byUid = new Map(objects.map((object) => [object.metadata.uid, object]));
  const blocking = new Set<string>();
  for (const object of objects)
    for (const { uid, blockOwnerDeletion } of object.metadata.ownerReferences ?? []) {
      const owner = byUid.get(uid);
      if (!isGoing(object) && (owner === undefined || has(owner, 'foregroundDeletion'))) return true;
      if (blockOwnerDeletion === true) blocking.add(uid);
    }
  return objects.some(
    (object) => has(object, 'orphan') || (has(object, 'foregroundDeletion') && !blocking.has(object.metadata.uid)),
  );
}
