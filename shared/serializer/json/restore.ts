import { cloneInSteps } from '#shared/apimachinery/json/clone.ts';
import { isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { holdsRawJson } from '#shared/apimachinery/schema/raw-json.ts';
import type { ScalarSchema, Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { isSliced, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import { toInt64 } from '#shared/apimachinery/values/int64.ts';
import { conformScalar } from './conform-scalar.ts';
import { conform } from './conform.ts';
import type { Conformed } from './conform.ts';
import { DecodeWalk, type ConformOptions } from './decode-walk.ts';
import { schemaForm } from './schema-forms.ts';

/** The error for a map that cannot be converted to a type. */
class RestoreError extends Error {
  override readonly name = 'RestoreError';
}

export interface RestoreOptions extends Pick<ConformOptions, 'strict'> {
  /** The value is a live object that no converter has rewritten. */
  readonly keepsOrder?: boolean;
}

/**
 * Conforms the result of a strategic patch or an apply to its type. The reference does not go through JSON text, but
 * through a converter that has error texts of its own, lets integers overflow and accepts lists of numbers as bytes
 * (apimachinery/pkg/runtime/converter.go). Most objects conform directly; only the others go through that conversion.
 * @throws RestoreError in the converter's words; JsonTypeError for types with a decoder of their own
 */
export function* conformRestored(
  schema: StructSchema,
  value: JsonValue,
  { strict, keepsOrder = false }: RestoreOptions,
): Steps<Conformed> {
  const options: ConformOptions = { strict, namesMapKeys: false, decoded: !keepsOrder };
  const isSorted = holdsRawJson(schema) && !keepsOrder;
  const copy = isSorted ? sortedCopy(value) : yield* cloneInSteps(value);
  if (isSliced()) yield;
  try {
    return yield* conform(schema, copy, options);
  } catch {
    const other = isSorted ? sortedCopy(value) : yield* cloneInSteps(value);
    return yield* conform(schema, restore(schema, other), options);
  }
}

/** A copy with sorted keys: the converter makes raw JSON from a Go map. */
function sortedCopy(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortedCopy);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value).sort(compareUtf8)) setKey(copy, key, sortedCopy(value[key] as JsonValue));
  return copy;
}

/**
 * Converts a value in place; unknown fields, nulls and values in a form that is not canonical are left to `conform`.
 */
function restore(schema: Schema, value: JsonValue): JsonValue {
  if (value === null) return null;
  switch (schema.kind) {
    case 'struct':
      return restoreStruct(schema, value);
    case 'map': {
      if (!isObject(value)) throw new RestoreError(`cannot restore map from ${goKind(value)}`);
      for (const key of Object.keys(value)) setKey(value, key, restore(schema.values, value[key] as JsonValue));
      return value;
    }
    case 'list': {
      if (!Array.isArray(value)) throw new RestoreError(`cannot restore slice from ${goKind(value)}`);
      return value.map((item) => restore(schema.items, item));
    }
    case 'scalar':
      return restoreScalar(schema, value);
  }
}

function restoreStruct(schema: StructSchema, value: JsonValue): JsonValue {
  // Types with a JSON form of their own (IntOrString and the like) decode JSON themselves.
  if (schemaForm(schema) !== undefined) return value;
  if (!isObject(value)) throw new RestoreError(`cannot restore struct from: ${goKind(value)}`);
  const object: JsonObject = value;
  for (const { name, schema: member } of schema.flat)
    if (Object.hasOwn(object, name)) setKey(object, name, restore(member, object[name] as JsonValue));
  return object;
}

const integerBits: Readonly<Partial<Record<ScalarSchema['type'], readonly [bits: number, signed: boolean]>>> = {
  int32: [32, true],
  int64: [64, true],
  uint32: [32, false],
  uint64: [64, false],
};

function restoreScalar(schema: ScalarSchema, value: JsonValue): JsonValue {
  const bits = integerBits[schema.type];
  if (bits !== undefined) return restoreInteger(schema, bits, value);
  switch (schema.type) {
    case 'string':
    case 'bool':
      return restorePlain(schema, schema.type, value);
    case 'float':
    case 'double':
      if (typeof value === 'number' || typeof value === 'bigint') return value;
      throw new RestoreError(`unrecognized type: ${schema.type === 'float' ? 'float32' : 'float64'}`);
    case 'bytes':
      return restoreBytes(value);
    case 'time':
    case 'microTime':
    case 'duration':
    case 'quantity':
    case 'intOrString':
      // A type with a decoder of its own gets a new walk, since its errors do not name the fields around it. Go's zero
      // time keeps its text, for null would be taken for nil.
      return conformScalar(schema, value, new DecodeWalk({ strict: false, decoded: true })) ?? value;
    default:
      return value;
  }
}

function restorePlain(schema: ScalarSchema, type: 'string' | 'bool', value: JsonValue): JsonValue {
  const kind = goKind(value);
  if (kind === type) return value;
  // Go can convert an int64 to a string, which JSON decoding cannot, so this case has an error of its own.
  throw new RestoreError(
    type === 'string' && kind === 'int64'
      ? `cannot convert int64 to ${schema.goType ?? 'string'}`
      : `unrecognized type: ${type}`,
  );
}

const lowestInt64 = -(2n ** 63n);

function restoreInteger(schema: ScalarSchema, [bits, signed]: readonly [number, boolean], value: JsonValue): JsonValue {
  if (typeof value !== 'number' && typeof value !== 'bigint')
    throw new RestoreError(`unrecognized type: ${schema.type}`);
  if (typeof value === 'number' && !Number.isInteger(value))
    throw new RestoreError(`cannot convert float64 to ${schema.goType ?? schema.type}`);
  const whole = BigInt(value);
  // A number beyond int64 is a float64, which amd64 converts to the lowest int64.
  const converted = BigInt.asIntN(64, whole) === whole ? whole : lowestInt64;
  return toInt64(signed ? BigInt.asIntN(bits, converted) : BigInt.asUintN(bits, converted));
}

function restoreBytes(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    const walk = new DecodeWalk({ strict: false });
    const bytes = conformScalar({ kind: 'scalar', type: 'bytes' }, value, walk);
    if (walk.typeError !== undefined) throw new RestoreError(`error decoding from json: ${walk.typeError.message}`);
    return bytes ?? null;
  }
  if (!Array.isArray(value)) throw new RestoreError(`cannot restore slice from ${goKind(value)}`);
  const octet: ScalarSchema = { kind: 'scalar', type: 'uint32', goType: 'uint8' };
  return Buffer.from(
    value.map((item) => {
      if (item === null) return 0;
      if (typeof item !== 'number') throw new RestoreError('unrecognized type: uint8');
      return Number(restoreInteger(octet, [8, false], item));
    }),
  ).toString('base64');
}

function goKind(value: JsonValue): string {
  if (Array.isArray(value)) return 'slice';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return BigInt.asIntN(64, value) === value ? 'int64' : 'float64';
    case 'number':
      return Number.isSafeInteger(value) ? 'int64' : 'float64';
    default:
      return 'map';
  }
}
