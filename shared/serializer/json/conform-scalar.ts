import { Base64Error, canonicalBase64 } from '#shared/apimachinery/bytes/base64.ts';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import type { ScalarSchema, ScalarType } from '#shared/apimachinery/schema/schema.ts';
import { canonicalDuration } from '#shared/apimachinery/values/duration.ts';
import { canonicalQuantity, equalsStoredQuantity } from '#shared/apimachinery/values/quantity.ts';
import { canonicalMicroTime, canonicalTime } from '#shared/apimachinery/values/time.ts';
import { goValueName, JsonTypeError, type DecodeWalk } from './decode-walk.ts';
import { formatFloat } from './go-text.ts';
import { goTypeOfSchema } from './go-types.ts';
import { hugeNumberText } from './huge-number.ts';
import { rawText } from './loose.ts';
import { mapScalars } from './map-scalars.ts';
import { plainNumbers, spelling } from './spelled-numbers.ts';

const ranges: Partial<Record<ScalarType, readonly [bigint, bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
};

/**
 * The canonical form of a present, non-null scalar; undefined where Go keeps its zero value, null for Go's zero time.
 */
export function conformScalar(schema: ScalarSchema, sent: JsonValue, walk: DecodeWalk): JsonValue | undefined {
  const number = walk.spelled ? spelling(sent) : undefined;
  if (number !== undefined) return conformSpelled(schema, number, walk);
  const value = walk.decoded ? asDecoded(sent) : sent;
  switch (schema.type) {
    case 'string':
      return typeof value === 'string' ? value : mismatch(schema, value, walk);
    case 'bool':
      return typeof value === 'boolean' ? value : mismatch(schema, value, walk);
    case 'int32':
    case 'int64':
    case 'uint32':
    case 'uint64':
      return integer(schema, value, walk);
    case 'float':
    case 'double':
      return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : mismatch(schema, value, walk);
    case 'bytes':
      return bytes(schema, value, walk);
    case 'time':
      return canonicalTime(text(value, walk));
    case 'microTime':
      return canonicalMicroTime(text(value, walk));
    case 'duration':
      return canonicalDuration(text(value, walk));
    case 'quantity':
      return amount(typeof value === 'string' ? value.trim() : rawText(value), walk);
    case 'intOrString':
      return intOrString(value, walk);
    case 'rawExtension':
    case 'fieldsV1':
      return walk.spelled ? plainNumbers(value, finite) : walk.decoded ? withFloats(value) : value;
    case 'json':
      return withFloats(walk.spelled ? plainNumbers(value, finite) : value);
  }
}

/** JSON that the reference decodes to Go's `any`, in which integers beyond int64 are float64. */
function withFloats(value: JsonValue): JsonValue {
  return mapScalars(value, asDecoded);
}

function asDecoded(scalar: JsonValue): JsonValue {
  return typeof scalar === 'bigint' && BigInt.asIntN(64, scalar) !== scalar ? Number(scalar) : scalar;
}

function amount(text: string, walk: DecodeWalk): string {
  const canonical = canonicalQuantity(text);
  if (!equalsStoredQuantity(text, canonical, walk.isCopied)) walk.respelledAmounts += 1;
  return canonical;
}

/** Refuses a number beyond float64 in raw JSON, at which the reference fails later and closes the connection. */
function finite(number: string): number {
  const value = Number(number);
  if (!Number.isFinite(value)) throw new JsonTypeError(hugeNumberText(number));
  return value;
}

/** Conforms a number with a point or an exponent, which is not accepted as an integer, whatever its value. */
function conformSpelled(schema: ScalarSchema, number: string, walk: DecodeWalk): JsonValue | undefined {
  switch (schema.type) {
    case 'quantity':
      return amount(number, walk);
    case 'rawExtension':
    case 'fieldsV1':
    case 'json':
      return finite(number);
    case 'intOrString':
      return number === '-0' ? 0 : walk.fail(`number ${number}`, 'int32');
    case 'time':
    case 'microTime':
    case 'duration':
      return walk.fail('number', 'string');
    case 'float':
    case 'double':
      if (Number.isFinite(Number(number))) return Number(number);
      break;
    case 'string':
    case 'bool':
    case 'bytes':
      walk.mismatch('number', goTypeOfSchema(schema));
      return undefined;
    case 'int32':
    case 'int64':
      if (number === '-0') return 0;
      break;
    default:
  }
  walk.mismatch(`number ${number}`, goTypeOfSchema(schema));
  return undefined;
}

function octet(item: JsonValue, walk: DecodeWalk): number {
  if (item === null) return 0;
  const spelled = spelling(item);
  if (spelled !== undefined) walk.mismatch(`number ${spelled}`, 'uint8');
  else if (typeof item !== 'number' && typeof item !== 'bigint') walk.mismatch(goValueName(item), 'uint8');
  else if (typeof item === 'number' && Number.isInteger(item) && item >= 0 && item < 256) return item;
  else walk.mismatch(`number ${numberText(item)}`, 'uint8');
  return 0;
}

function mismatch(schema: ScalarSchema, value: JsonValue, walk: DecodeWalk): undefined {
  walk.mismatch(goValueName(value), goTypeOfSchema(schema));
  return undefined;
}

/** The string of a type with a decoder of its own; any other value stops the decoding. */
function text(value: JsonValue, walk: DecodeWalk): string {
  return typeof value === 'string' ? value : walk.fail(goValueName(value), 'string');
}

function numberText(value: number | bigint): string {
  return typeof value === 'bigint' ? value.toString() : formatFloat(value);
}

function fits(type: ScalarType, value: number | bigint): boolean {
  const range = ranges[type];
  if (range === undefined) return true;
  // A number that is no safe integer is a float: integers of 64 bits are bigints there.
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return false;
  return BigInt(value) >= range[0] && BigInt(value) <= range[1];
}

/** The common case, without bigint: both bounds of int32 and uint32 included. */
function integer(schema: ScalarSchema, value: JsonValue, walk: DecodeWalk): JsonValue | undefined {
  if (typeof value !== 'number' && typeof value !== 'bigint') return mismatch(schema, value, walk);
  if (
    typeof value === 'number' &&
    (value | 0) === value &&
    (value >= 0 || schema.type === 'int32' || schema.type === 'int64')
  )
    return value;
  if (fits(schema.type, value)) return value;
  walk.mismatch(`number ${numberText(value)}`, goTypeOfSchema(schema));
  return undefined;
}

function intOrString(value: JsonValue, walk: DecodeWalk): JsonValue {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number' && typeof value !== 'bigint') return walk.fail(goValueName(value), 'int32');
  return fits('int32', value) ? value : walk.fail(`number ${numberText(value)}`, 'int32');
}

/** Standard base64 with padding; a list of numbers is bytes too. */
function bytes(schema: ScalarSchema, value: JsonValue, walk: DecodeWalk): JsonValue | undefined {
  if (Array.isArray(value)) return Buffer.from(value.map((item) => octet(item, walk))).toString('base64');
  if (typeof value !== 'string') return mismatch(schema, value, walk);
  try {
    return canonicalBase64(value);
  } catch (error) {
    if (!(error instanceof Base64Error)) throw error;
    walk.typeError ??= new JsonTypeError(error.message);
    return undefined;
  }
}
