import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { conform } from '#shared/serializer/json/conform.ts';
import type { UpdateRequest } from './resource-store.ts';
import type { StoreDependencies } from './store-dependencies.ts';
import type { OperationContext } from './strategy.ts';

// Managed fields for writes of the server itself, in the storage version. Writes of clients set their managed fields
// before they get here.

/** Sets the managed fields of a new object in place. */
export function manageFieldsOnCreate(
  dependencies: StoreDependencies,
  object: KubeObject,
  context: OperationContext,
): void {
  const { fieldManager: manager, nowMs } = context;
  if (manager === undefined) return;
  atOnce(dependencies.fieldsOf(context.subresource).update(undefined, object, manager, nowMs));
}

/** The changed object, with its managed fields updated. */
export function manageFieldsOnUpdate(
  dependencies: StoreDependencies,
  request: UpdateRequest,
  old: KubeObject | undefined,
  made: KubeObject,
  context: OperationContext,
): KubeObject {
  const { fieldManager: manager, nowMs } = context;
  if (manager === undefined) return made;
  const fields = dependencies.fieldsOf(context.subresource);
  if (request.applies === true) {
    const applied = atOnce(fields.apply({ live: old, config: made, manager, force: true, nowMs }));
    return asKubeObject(atOnce(conform(dependencies.form.schema, cloneJson(applied), { strict: false })).object);
  }
  atOnce(fields.update(old, made, manager, nowMs));
  return made;
}
