import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '../apimachinery/json.ts';
import { atOnce } from '../apimachinery/slices.ts';
import type { Field, Schema, StructSchema } from '../apimachinery/schema.ts';

/** Whether a schema holds a default anywhere; walking the rest would be for nothing. */
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

/** Absent, or the zero value of what is no pointer, which Go cannot tell apart. */
function isUnset(field: Field, value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  return !field.pointer && (value === '' || value === 0 || value === false);
}

function applyTo(schema: Schema, value: JsonValue): void {
  if (!holdsDefaults(schema)) return;
  if (schema.kind === 'list' && Array.isArray(value)) {
    for (const item of value) if (item !== null) applyTo(schema.items, item);
  } else if (schema.kind === 'map' && isObject(value)) {
    for (const key of Object.keys(value)) applyTo(schema.values, value[key] as JsonValue);
  } else if (schema.kind === 'struct' && isObject(value)) applyDefaults(schema, value);
}

/**
 * Sets constant defaults where a field is absent and its parent is there, in place, in lists and maps too. A struct by
 * value counts as there: it is made when something in it has a default.
 */
export function applyDefaults(schema: StructSchema, object: JsonObject): void {
  if (schema.custom !== undefined) {
    atOnce(schema.custom.applyDefaults(object));
    return;
  }
  for (const field of relevantFields(schema)) {
    if (field.default !== undefined && isUnset(field, getKey(object, field.name)))
      setKey(object, field.name, typeof field.default === 'object' ? structuredClone(field.default) : field.default);
    const value = getKey(object, field.name);
    if (value !== undefined && value !== null) applyTo(field.schema, value);
    else if (field.schema.kind === 'struct' && !field.pointer) applyInto(field.schema, field.name, object);
  }
}

function applyInto(schema: StructSchema, name: string, parent: JsonObject): void {
  const made: JsonObject = {};
  applyDefaults(schema, made);
  if (Object.keys(made).length > 0) setKey(parent, name, made);
}
