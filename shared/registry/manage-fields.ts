import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { conform } from '#shared/serializer/json/conform.ts';
import type { ObjectStore } from './object-store.ts';
import type { UpdateRequest } from './resource-store.ts';
import type { OperationContext } from './strategy.ts';

// Managed fields for writes of the server itself, in the storage version. Writes of clients set their managed fields
// before they get here.

/** Sets the managed fields of a new object in place. */
export function manageFieldsOnCreate(store: ObjectStore, object: KubeObject, context: OperationContext): void {
  const { fieldManager: manager, nowMs } = context;
  if (manager === undefined) return;
  atOnce(store.fieldsOf(context.subresource).update(undefined, object, manager, nowMs));
}

/** The changed object, with its managed fields updated. */
export function manageFieldsOnUpdate(
  store: ObjectStore,
  request: UpdateRequest,
  old: KubeObject | undefined,
  made: KubeObject,
  context: OperationContext,
): KubeObject {
  const { fieldManager: manager, nowMs } = context;
  if (manager === undefined) return made;
  const fields = store.fieldsOf(context.subresource);
  if (request.applies === true) {
    const applied = atOnce(fields.apply({ live: old, config: made, manager, force: true, nowMs }));
    return asKubeObject(atOnce(conform(store.form.schema, cloneJson(applied.object), { strict: false })).object);
  }
  atOnce(fields.update(old, made, manager, nowMs));
  return made;
}
