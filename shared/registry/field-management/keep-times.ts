import { deepEqual, semanticEqualAs } from '../../apimachinery/deep-equal.ts';
import type { KubeObject, ManagedFieldsEntry } from '../../apimachinery/object.ts';
import type { StructSchema } from '../../apimachinery/schema.ts';

/**
 * Gives managers their old times back where nothing else changed, so that a write that comes to nothing writes nothing:
 * what an update changed may have been put back since (apiserver/pkg/endpoints/handlers/fieldmanager/equality.go). In place.
 */
export function keepManagerTimes(schema: StructSchema, object: KubeObject, old: KubeObject): void {
  const now = object.metadata.managedFields ?? [];
  const before = old.metadata.managedFields ?? [];
  if (now.length === 0 || now.length !== before.length) return;
  if (now.every((entry, i) => entry.time === before[i]?.time)) return;
  if (!now.every((entry, i) => deepEqual(withoutTime(entry), withoutTime(before[i] ?? {})))) return;
  if (equalButManagers(schema, object, old)) object.metadata.managedFields = before;
}

function withoutTime({ time: _time, ...entry }: ManagedFieldsEntry): ManagedFieldsEntry {
  return entry;
}

function equalButManagers(schema: StructSchema, object: KubeObject, old: KubeObject): boolean {
  const [a, b] = [object, old].map(({ metadata: { managedFields: _managers, ...metadata }, ...rest }) => ({ ...rest, metadata }));
  return schema.custom === undefined ? semanticEqualAs(schema, a, b) : deepEqual(a, b);
}
