import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { KubeObject, ManagedFieldsEntry } from '#shared/apimachinery/object.ts';
import { deepEqualInSteps, semanticEqualAsInSteps } from '#shared/apimachinery/schema/deep-equal.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';

/**
 * Restores, in place, the old times of managers if nothing else changed, so that a write without effect is not stored:
 * a later step may have undone the change of an update (apiserver/pkg/endpoints/handlers/fieldmanager/equality.go).
 */
export function* keepManagerTimes(schema: StructSchema, object: KubeObject, old: KubeObject): Steps<void> {
  const now = object.metadata.managedFields ?? [];
  const before = old.metadata.managedFields ?? [];
  if (now.length === 0 || now.length !== before.length) return;
  if (now.every((entry, i) => entry.time === before[i]?.time)) return;
  for (const [i, entry] of now.entries())
    if (!(yield* deepEqualInSteps(withoutTime(entry), withoutTime(before[i] ?? {})))) return;
  const [a, b] = [withoutManagers(object), withoutManagers(old)];
  // Built-in types are compared in the form of storage, to which a version is no part of the object.
  if (
    yield* schema.custom === undefined
      ? semanticEqualAsInSteps(schema, { ...a, apiVersion: '' }, { ...b, apiVersion: '' })
      : deepEqualInSteps(a, b)
  )
    object.metadata.managedFields = before;
}

function withoutTime({ time: _time, ...entry }: ManagedFieldsEntry): ManagedFieldsEntry {
  return entry;
}

/** The object without its managed fields. */
export function withoutManagers({
  metadata: { managedFields: _managers, ...metadata },
  ...rest
}: KubeObject): JsonObject {
  return { ...rest, metadata };
}
