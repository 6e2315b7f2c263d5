import type { ResourceFacts } from '#shared/api/facts.ts';
import { setKey } from '#shared/apimachinery/json/json.ts';
import { valueAt, type KubeObject } from '#shared/apimachinery/object.ts';

const everywhere = new Set(['metadata.name', 'metadata.namespace']);

/** Reads the selectable fields that are plain paths of the object; undefined if the kind has none beyond metadata. */
export function selectableFieldReader(
  facts: ResourceFacts,
): ((object: KubeObject) => Record<string, string>) | undefined {
  const fields = facts.selectableFields
    .filter((field) => !everywhere.has(field))
    .map((field) => ({ field, path: field.split('.') }));
  if (fields.length === 0) return undefined;
  return (object) => {
    const values: Record<string, string> = {};
    for (const { field, path } of fields) setKey(values, field, fieldText(valueAt(object, ...path)));
    return values;
  };
}

function fieldText(value: ReturnType<typeof valueAt>): string {
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}
