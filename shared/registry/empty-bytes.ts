import { getKey, isObject, type JsonValue } from '../apimachinery/json.ts';
import type { Field, Schema, StructSchema } from '../apimachinery/schema.ts';

const known = new WeakMap<StructSchema, boolean>();

/** Whether values of a type have bytes in fields that JSON leaves out where they are empty. */
function holdsBytes(schema: Schema): boolean {
  switch (schema.kind) {
    case 'scalar': return false;
    case 'list': return holdsBytes(schema.items);
    case 'map': return holdsBytes(schema.values);
    case 'struct': {
      const found = known.get(schema);
      if (found !== undefined) return found;
      // Types may hold themselves.
      known.set(schema, false);
      const holds = schema.custom === undefined && schema.flat.some((field) => isBytes(field) || holdsBytes(field.schema));
      known.set(schema, holds);
      return holds;
    }
  }
}

function isBytes({ schema, omitEmpty }: Field): boolean {
  return schema.kind === 'scalar' && schema.type === 'bytes' && omitEmpty;
}

/**
 * Where a value has bytes that are there and empty, in one text; empty where it has none such. Protobuf tells them from bytes that
 * nobody set, hence what is stored does, and JSON does not.
 */
export function emptyBytesIn(schema: Schema, value: JsonValue | undefined): string {
  if (schema.kind === 'scalar' || !holdsBytes(schema) || typeof value !== 'object' || value === null) return '';
  if (schema.kind === 'list') return Array.isArray(value) ? value.map((item, index) => at(String(index), emptyBytesIn(schema.items, item))).join('') : '';
  if (!isObject(value)) return '';
  if (schema.kind === 'map') return Object.keys(value).map((key) => at(JSON.stringify(key), emptyBytesIn(schema.values, value[key]))).join('');
  return schema.flat.map((field) => {
    const member = getKey(value, field.name);
    return isBytes(field) ? (member === '' ? `${field.name},` : '') : at(field.name, emptyBytesIn(field.schema, member));
  }).join('');
}

function at(step: string, places: string): string {
  return places === '' ? '' : `${step}(${places})`;
}
