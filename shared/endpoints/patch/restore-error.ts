import { isObject, type JsonValue } from '../../apimachinery/json.ts';
import type { ScalarSchema, Schema, StructSchema } from '../../apimachinery/schema.ts';

/**
 * Why the reference cannot make an object of its type from a patched map: strategic patches are restored without their
 * JSON text, and its converter has words of its own (apimachinery/pkg/runtime FromUnstructured). Undefined where it can.
 */
export function restoreError(schema: Schema, value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  switch (schema.kind) {
    case 'struct': return isObject(value) ? structError(schema, value) : `cannot restore struct from: ${goKind(value)}`;
    case 'map': return isObject(value) ? firstError(Object.values(value), schema.values) : `cannot restore map from ${goKind(value)}`;
    case 'list': return Array.isArray(value) ? firstError(value, schema.items) : `cannot restore slice from ${goKind(value)}`;
    case 'scalar': return scalarError(schema, value);
  }
}

function structError(schema: StructSchema, value: { readonly [key: string]: JsonValue }): string | undefined {
  for (const field of schema.flat) {
    const error = Object.hasOwn(value, field.name) ? restoreError(field.schema, value[field.name]) : undefined;
    if (error !== undefined) return error;
  }
  return undefined;
}

function firstError(values: readonly JsonValue[], schema: Schema): string | undefined {
  for (const value of values) {
    const error = restoreError(schema, value);
    if (error !== undefined) return error;
  }
  return undefined;
}

const goKindOfScalar: Readonly<Partial<Record<ScalarSchema['type'], readonly [kind: string, accepts: string]>>> = {
  string: ['string', 'string'], bool: ['bool', 'bool'], int32: ['int32', 'int64'], int64: ['int64', 'int64'],
  uint32: ['uint32', 'int64'], uint64: ['uint64', 'int64'],
};

/** Types with a decoder of their own (times, quantities) fail in their own words, which conforming tells. */
function scalarError(schema: ScalarSchema, value: JsonValue): string | undefined {
  const known = goKindOfScalar[schema.type];
  if (known === undefined) return undefined;
  const [kind, accepts] = known;
  const actual = goKind(value);
  if (actual === accepts) return undefined;
  // Where Go has a conversion but JSON none, the converter says so.
  const convertible = (kind === 'string' && actual === 'int64') || (accepts === 'int64' && actual === 'float64');
  return convertible ? `cannot convert ${actual} to ${schema.goType ?? kind}` : `unrecognized type: ${kind}`;
}

function goKind(value: JsonValue): string {
  if (Array.isArray(value)) return 'slice';
  switch (typeof value) {
    case 'string': return 'string';
    case 'boolean': return 'bool';
    case 'bigint': return 'int64';
    case 'number': return Number.isInteger(value) ? 'int64' : 'float64';
    default: return 'map';
  }
}
