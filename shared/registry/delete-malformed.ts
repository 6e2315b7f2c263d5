import { invalid, path } from '#shared/apimachinery/errors/field-error.ts';
import { newInvalid } from '#shared/apimachinery/errors/status.ts';
import { isMalformation, type Malformation } from './malformed-objects.ts';
import type { ObjectStore } from './object-store.ts';
import type { OperationContext } from './strategy.ts';

/**
 * Removes an object that cannot be read, without looking at it: neither finalizers nor admission nor preconditions hold
 * it back (apiserver corrupt_obj_deleter.go). Throws a 422 for what can be read, and for what is not there.
 */
export async function deleteMalformed(store: ObjectStore, name: string, context: OperationContext): Promise<void> {
  const key = store.objectKey(context.namespace, name);
  for (;;) {
    const malformation = await malformationOf(store, key);
    if (malformation === undefined) throw readable(store, name, context);
    try {
      const result = await store.storage.compareAndDelete(key, malformation.revision);
      if (!result.ok) continue;
      await store.cache.untilHandedOut(result.revision);
      return;
    } catch (error) {
      // The newer state cannot be read either.
      if (!isMalformation(error)) throw error;
    }
  }
}

async function malformationOf(store: ObjectStore, key: string): Promise<Malformation | undefined> {
  try {
    await store.readCurrent(key);
    return undefined;
  } catch (error) {
    if (isMalformation(error)) return error;
    throw error;
  }
}

function readable(store: ObjectStore, name: string, context: OperationContext): Error {
  const { group, resource } = store.resourceOf(context);
  const field = path('ignoreStoreReadErrorWithClusterBreakingPotential');
  return newInvalid({ group, kind: resource }, name, [
    invalid(field, true, 'is exclusively used to delete corrupt object(s), try again by removing this option'),
  ]);
}
