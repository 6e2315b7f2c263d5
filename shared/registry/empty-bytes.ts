import { getKey, isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Field, Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';

const known = new WeakMap<StructSchema, boolean>();

/** Whether a type has byte fields that JSON leaves out if they are empty. */
function holdsBytes(schema: Schema): boolean {
  const top = structOf(schema);
  if (top === undefined) return false;
  let holds = known.get(top);
  if (holds === undefined) known.set(top, (holds = reachesBytes(top)));
  return holds;
}

/**
 * Types may contain themselves, also through other types, so all types that one reaches are visited before the answer
 * is known.
 */
function reachesBytes(top: StructSchema): boolean {
  const seen = new Set<StructSchema>([top]);
  for (const type of seen) {
    if (type.custom !== undefined) continue;
    for (const field of type.flat) {
      if (isBytes(field)) return true;
      const below = structOf(field.schema);
      if (below !== undefined) seen.add(below);
    }
  }
  return false;
}

/** The type of the items and values of lists and maps; undefined for scalars. */
function structOf(schema: Schema): StructSchema | undefined {
  switch (schema.kind) {
    case 'scalar':
      return undefined;
    case 'list':
      return structOf(schema.items);
    case 'map':
      return structOf(schema.values);
    case 'struct':
      return schema;
  }
}

function isBytes({ schema, omitEmpty }: Field): boolean {
  return schema.kind === 'scalar' && schema.type === 'bytes' && omitEmpty;
}

/**
 * A text that names the byte fields of a value that are present but empty; '' if there are none. Protobuf, and so
 * storage, distinguishes them from absent fields; JSON does not.
 */
export function emptyBytesIn(schema: Schema, value: JsonValue | undefined): string {
  if (schema.kind === 'scalar' || !holdsBytes(schema) || typeof value !== 'object' || value === null) return '';
  if (schema.kind === 'list')
    return Array.isArray(value)
      ? value.map((item, index) => at(String(index), emptyBytesIn(schema.items, item))).join('')
      : '';
  if (!isObject(value)) return '';
  if (schema.kind === 'map')
    return Object.keys(value)
      .map((key) => at(JSON.stringify(key), emptyBytesIn(schema.values, getKey(value, key))))
      .join('');
  return schema.flat
    .map((field) => {
      const member = getKey(value, field.name);
      return isBytes(field)
        ? member === ''
          ? `${field.name},`
          : ''
        : at(field.name, emptyBytesIn(field.schema, member));
    })
    .join('');
}

function at(step: string, places: string): string {
  return places === '' ? '' : `${step}(${places})`;
}
