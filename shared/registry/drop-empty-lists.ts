import { isObject, type JsonObject, type JsonValue } from '../apimachinery/json.ts';
import type { Schema } from '../apimachinery/schema.ts';

/**
 * Takes away, in place, what protobuf cannot tell from nothing: a list without items. The reference answers a write with
 * what it stored, so that such a list is gone, or null where the field is always printed.
 */
export function dropEmptyLists(schema: Schema, object: JsonObject): void {
  if (holdsEmptyList(object)) drop(schema, object);
}

/** Few objects have one; looking without the schema is cheap. */
function holdsEmptyList(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0 || value.some(holdsEmptyList);
  if (!isObject(value)) return false;
  for (const key in value) if (holdsEmptyList(value[key])) return true;
  return false;
}

function drop(schema: Schema, value: JsonValue | undefined): void {
  if (schema.kind === 'list' && Array.isArray(value)) for (const item of value) drop(schema.items, item);
  if (!isObject(value)) return;
  if (schema.kind === 'map') for (const key of Object.keys(value)) drop(schema.values, value[key]);
  if (schema.kind !== 'struct') return;
  for (const field of schema.flat) {
    const member = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
    if (Array.isArray(member) && member.length === 0 && field.schema.kind === 'list') delete value[field.name];
    else if (typeof member === 'object') drop(field.schema, member);
  }
}
