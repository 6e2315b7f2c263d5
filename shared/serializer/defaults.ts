import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Field, Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';

/** By schema: whether it has a default at any depth. Objects without a default need not be walked. */
const known = new WeakMap<Schema, boolean>();

function holdsDefaults(schema: Schema): boolean {
  const answer = known.get(schema);
  if (answer !== undefined) return answer;
  const reachable = search(schema, new Set());
  known.set(schema, reachable);
  return reachable;
}

function search(schema: Schema, seen: Set<Schema>): boolean {
  if (schema.kind === 'scalar' || seen.has(schema)) return false;
  seen.add(schema);
  switch (schema.kind) {
    case 'list':
      return search(schema.items, seen);
    case 'map':
      return search(schema.values, seen);
    case 'struct':
      return schema.flat.some((field) => field.default !== undefined || search(field.schema, seen));
  }
}

const relevant = new WeakMap<StructSchema, readonly Field[]>();

function relevantFields(schema: StructSchema): readonly Field[] {
  let fields = relevant.get(schema);
  if (fields === undefined) {
    fields =
      schema.jsonForm === undefined
        ? schema.flat.filter((field) => field.default !== undefined || holdsDefaults(field.schema))
        : [];
    relevant.set(schema, fields);
  }
  return fields;
}

/** Whether a field is absent, or has the zero value without being a pointer: Go cannot distinguish the two. */
function isUnset(field: Field, value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  return !field.pointer && (value === '' || value === 0 || value === false);
}

/**
 * Sets constant defaults, in place, where a field is absent and its parent is present; also in lists and maps. A struct
 * by value counts as present: it is created if a field in it has a default.
 */
export function* applyDefaults(schema: StructSchema, object: JsonObject): Steps<void> {
  if (schema.custom !== undefined) return void (yield* schema.custom.applyDefaults(object));
  for (const field of relevantFields(schema)) {
    const value = ownValue(field, object);
    if (typeof value === 'object' && value !== null) yield* applyBelow(field.schema, value);
    if (sliceIsOver()) yield;
  }
}

function* applyBelow(schema: Schema, value: JsonValue): Steps<void> {
  if (!holdsDefaults(schema)) return;
  if (schema.kind === 'list' && Array.isArray(value)) {
    for (const item of value) {
      if (item !== null) yield* applyBelow(schema.items, item);
      if (sliceIsOver()) yield;
    }
  } else if (schema.kind === 'map' && isObject(value)) {
    for (const key of Object.keys(value)) {
      yield* applyBelow(schema.values, value[key] as JsonValue);
      if (sliceIsOver()) yield;
    }
  } else if (schema.kind === 'struct' && isObject(value)) yield* applyDefaults(schema, value);
}

/** The value of a field after its own default is set; a created struct is returned as well. */
function ownValue(field: Field, object: JsonObject): JsonValue | undefined {
  const value = getKey(object, field.name);
  if (field.default !== undefined && isUnset(field, value))
    setKey(object, field.name, typeof field.default === 'object' ? structuredClone(field.default) : field.default);
  else if ((value === undefined || value === null) && field.schema.kind === 'struct' && !field.pointer) {
    applyInto(field.schema, field.name, object);
    return undefined;
  } else return value;
  return getKey(object, field.name);
}

function applyInto(schema: StructSchema, name: string, parent: JsonObject): void {
  const made: JsonObject = {};
  atOnce(applyDefaults(schema, made));
  if (Object.keys(made).length > 0) setKey(parent, name, made);
}
