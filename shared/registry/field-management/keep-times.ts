import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { KubeObject, ManagedFieldsEntry } from '#shared/apimachinery/object.ts';
import { deepEqualInSteps, semanticEqualAsInSteps } from '#shared/apimachinery/schema/deep-equal.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { processRegistry } from '#shared/observability/metrics/process-registry.ts';

/** What a comparison found; the reference's names. */
type CodePath = 'unequal_objects_fast' | 'unequal_objects_slow' | 'equal_objects';

/** apiserver/pkg/endpoints/metrics */
const comparisons = processRegistry.histogram(
  'apiserver_request_timestamp_comparison_time',
  '[ALPHA] Time taken for comparison of old vs new objects in UPDATE or PATCH requests',
  ['code_path'],
  [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5],
);

/**
 * Restores, in place, the old times of managers if nothing else changed, so that a write without effect is not stored:
 * a later step may have undone the change of an update (apiserver/pkg/endpoints/handlers/fieldmanager/equality.go).
 */
export function* keepManagerTimes(schema: StructSchema, object: KubeObject, old: KubeObject): Steps<void> {
  const startedMs = performance.now();
  const path = yield* keepTimes(schema, object, old);
  comparisons.observe((performance.now() - startedMs) / 1000, path);
}

function* keepTimes(schema: StructSchema, object: KubeObject, old: KubeObject): Steps<CodePath> {
  const now = object.metadata.managedFields ?? [];
  const before = old.metadata.managedFields ?? [];
  if (now.length === 0 || now.length !== before.length) return 'unequal_objects_fast';
  if (now.every((entry, i) => entry.time === before[i]?.time)) return 'unequal_objects_fast';
  for (const [i, entry] of now.entries())
    if (!(yield* deepEqualInSteps(withoutTime(entry), withoutTime(before[i] ?? {})))) return 'unequal_objects_fast';
  const [a, b] = [withoutManagers(object), withoutManagers(old)];
  // Built-in types are compared in the form of storage, to which a version is no part of the object.
  const isEqual = yield* schema.custom === undefined
    ? semanticEqualAsInSteps(schema, { ...a, apiVersion: '' }, { ...b, apiVersion: '' })
    : deepEqualInSteps(a, b);
  if (!isEqual) return 'unequal_objects_slow';
  object.metadata.managedFields = before;
  return 'equal_objects';
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
