import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Schema } from '#shared/apimachinery/schema/schema.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';

/**
 * Removes empty lists in place, as protobuf cannot store them. The reference answers a write with what it stored, so an
 * empty list is absent from the response, or null if the field has no omitempty.
 */
export function* dropEmptyLists(schema: Schema, object: JsonObject): Steps<void> {
  // Few objects have an empty list, and searching for one without the schema is cheap.
  if (yield* holdsEmptyList(object)) yield* drop(schema, object);
}

function* holdsEmptyList(object: JsonObject): Steps<boolean> {
  const open: JsonValue[] = [object];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value) && value.length === 0) return true;
    const members = value as JsonObject;
    for (const key in members) {
      const member = members[key];
      if (typeof member === 'object' && member !== null) open.push(member);
      if (sliceIsOver()) yield;
    }
  }
  return false;
}

function* drop(schema: Schema, value: JsonValue | undefined): Steps<void> {
  if (sliceIsOver()) yield;
  if (schema.kind === 'list' && Array.isArray(value)) for (const item of value) yield* drop(schema.items, item);
  if (!isObject(value)) return;
  if (schema.kind === 'map') for (const key of Object.keys(value)) yield* drop(schema.values, value[key]);
  if (schema.kind !== 'struct') return;
  for (const field of schema.flat) {
    const member = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
    if (Array.isArray(member) && member.length === 0 && field.schema.kind === 'list') delete value[field.name];
    else if (typeof member === 'object') yield* drop(field.schema, member);
  }
}
