import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { ScalarType } from '#shared/apimachinery/schema/schema.ts';
import { canonicalDuration } from '#shared/apimachinery/values/duration.ts';
import { canonicalQuantity } from '#shared/apimachinery/values/quantity.ts';
import { canonicalMicroTime, canonicalTime } from '#shared/apimachinery/values/time.ts';
import { goValueName } from '#shared/serializer/json/decode-walk.ts';
import { sortedKeys } from '#shared/serializer/json/go-text.ts';
import { CborError, CborTypeError, major, majorName } from './cbor-error.ts';
import { cborNull, cborUndefined, encodedText, laterEncoding, readValue, type LaterEncoding } from './decode-value.ts';
import { mismatch } from './mismatch.ts';
import type { CborReader } from './reader.ts';

interface Range {
  readonly min: bigint;
  readonly max: bigint;
}

const int32: Range = { min: -(2n ** 31n), max: 2n ** 31n - 1n };

const ranges: Partial<Record<ScalarType, Range>> = {
  int32,
  int64: { min: -(2n ** 63n), max: 2n ** 63n - 1n },
  uint32: { min: 0n, max: 2n ** 32n - 1n },
  uint64: { min: 0n, max: 2n ** 64n - 1n },
};

export function integerRange(type: ScalarType): Range | undefined {
  return ranges[type];
}

/** Reads a byte string or text string; returns undefined for null and for CBOR's `undefined`. */
function readText(reader: CborReader): JsonValue | undefined {
  const encoding = readTags(reader);
  if (reader.type === major.bytes) return encodedText(reader.byteString(), encoding);
  if (reader.type === major.text) return reader.textString();
  if (reader.firstByte !== cborNull && reader.firstByte !== cborUndefined) throw mismatch(reader, 'string');
  reader.skip();
  return undefined;
}

function readTags(reader: CborReader): LaterEncoding {
  let encoding: LaterEncoding = 0;
  while (reader.type === major.tag) encoding = laterEncoding(reader.tag()) ?? encoding;
  return encoding;
}

/** Reads an IntOrString: tries a string first; null counts as an empty string. */
function readIntOrString(reader: CborReader): JsonValue {
  const encoding = readTags(reader);
  const { type, firstByte } = reader;
  if (type === major.bytes) return encodedText(reader.byteString(), encoding);
  if (type === major.text) return reader.textString();
  if (firstByte === cborNull) {
    reader.skip();
    return '';
  }
  if (type !== major.positive && type !== major.negative) throw mismatch(reader, 'int32');
  return readInteger(reader, 'int32', int32);
}

/** Reads an integer within a range. */
export function readInteger(reader: CborReader, goType: string, { min, max }: Range): number | bigint {
  const { type } = reader;
  const value = reader.integer();
  if (value >= min && value <= max) return value;
  throw new CborTypeError(
    majorName(type),
    goType,
    `${value} overflows ${value < -(2n ** 63n) ? "Go's int64" : goType}`,
  );
}

/** Reads a duration as its JSON form; errors are those of the JSON decoder. */
function readDuration(reader: CborReader): string | undefined {
  const value = readValue(reader, 0);
  if (value === null) return undefined;
  if (typeof value !== 'string')
    throw new CborError(`json: cannot unmarshal ${goValueName(value)} into Go value of type string`);
  return canonicalDuration(value);
}

/** A value with sorted keys, as the reference sorts them when it makes raw JSON from CBOR. */
function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const out: JsonObject = {};
  for (const key of sortedKeys(value)) setKey(out, key, sorted(getKey(value, key) as JsonValue));
  return out;
}

/** Reads a field set, which must be an object. The reference checks that when it converts the value to JSON. */
function readFieldSet(reader: CborReader): JsonValue | undefined {
  while (reader.type === major.tag) reader.tag();
  if (reader.type === major.map || reader.firstByte === cborNull) return sorted(readValue(reader, 0)) ?? undefined;
  throw new CborError(
    `failed to transcode FieldsV1 to JSON: metav1.FieldsV1 cbor invalid: ${mismatch(reader, 'map[string]interface {}').message}`,
  );
}

function textOr<T>(read: (text: string) => T, value: JsonValue | undefined): T | undefined {
  return value === undefined ? undefined : read(String(value));
}

/**
 * Reads a type that has a decoder of its own, tags included; returns undefined for other types. `value` is undefined
 * for null, and null for Go's zero time.
 */
export function readOwnForm(
  type: ScalarType,
  reader: CborReader,
): { readonly value: JsonValue | undefined } | undefined {
  switch (type) {
    case 'time':
      return { value: textOr(canonicalTime, readText(reader)) };
    case 'microTime':
      return { value: textOr(canonicalMicroTime, readText(reader)) };
    case 'quantity':
      return { value: textOr((text) => canonicalQuantity(text.trim()), readText(reader)) };
    case 'intOrString':
      return { value: readIntOrString(reader) };
    case 'duration':
      return { value: readDuration(reader) };
    case 'fieldsV1':
      return { value: readFieldSet(reader) };
    case 'rawExtension':
    case 'json':
      return { value: sorted(readValue(reader, 0)) ?? undefined };
    default:
      return undefined;
  }
}
