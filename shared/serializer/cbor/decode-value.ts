import { setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { parseTime } from '#shared/apimachinery/values/time.ts';
import { CborError, CborTypeError, major, majorName } from './cbor-error.ts';
import { mismatch } from './mismatch.ts';
import { CborReader } from './reader.ts';
import { checkWellFormed } from './well-formed.ts';

export const cborNull = 0xf6;
export const cborUndefined = 0xf7;

/**
 * How a byte string becomes text: by the "expected later encoding" of tags 21 to 23 (RFC 8949 §3.4.5.2); 0 for no
 * encoding.
 */
export type LaterEncoding = 0 | 21 | 22 | 23;

/** The encoding that a tag gives for the byte strings in it; undefined for other tags. */
export function laterEncoding(tag: number): LaterEncoding | undefined {
  return tag === 21 || tag === 22 || tag === 23 ? tag : undefined;
}

export function encodedText(bytes: Buffer, encoding: LaterEncoding): string {
  switch (encoding) {
    case 21:
      return bytes.toString('base64url');
    case 22:
      return bytes.toString('base64');
    case 23:
      return bytes.toString('hex');
    case 0:
      return bytes.toString('utf8');
  }
}

/** The error for a duplicate key. */
export function duplicateKey(key: string | number | bigint, index: number): CborError {
  return new CborError(
    `cbor: found duplicate map key ${typeof key === 'string' ? goQuote(key) : key} at map element index ${index}`,
  );
}

/** Reads a key of an object as text. */
function readKey(reader: CborReader, outer: LaterEncoding): string {
  let encoding = outer;
  while (reader.type === major.tag) encoding = laterEncoding(reader.tag()) ?? encoding;
  if (reader.type === major.bytes) return encodedText(reader.byteString(), encoding);
  if (reader.type === major.text) return reader.textString();
  // Null leaves Go's string at its zero value, the empty string.
  if (reader.firstByte !== cborNull) throw mismatch(reader, 'string');
  reader.skip();
  return '';
}

function readObject(reader: CborReader, encoding: LaterEncoding): JsonObject {
  const object: JsonObject = {};
  reader.each((index) => {
    const key = readKey(reader, encoding);
    const value = readValue(reader, encoding);
    if (Object.hasOwn(object, key)) throw duplicateKey(key, index);
    setKey(object, key, value);
  });
  return object;
}

function readInt64(reader: CborReader): number | bigint {
  const { type } = reader;
  const value = reader.integer();
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) !== value)
    throw new CborTypeError(majorName(type), 'int64', `${value} overflows Go's int64`);
  return value;
}

/** A time in RFC 3339 with all its fractional digits, as Go prints a time. */
function timeText(text: string): string {
  try {
    parseTime(text);
  } catch (error) {
    throw new CborError(
      `cbor: cannot set ${text} for time.Time: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const [, whole = '', digits = '', zone = ''] = /^([^.,]*)[.,](\d+)(.*)$/s.exec(text) ?? [];
  if (digits === '') return text;
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return `${whole}${end === 0 ? '' : `.${digits.slice(0, end)}`}${zone}`;
}

function epochText(reader: CborReader): string {
  const seconds = reader.type === major.other ? Number(reader.other()) : Number(reader.integer());
  const time = new Date(seconds * 1000);
  if (Number.isNaN(time.getTime()) || time.getUTCFullYear() > 9999 || time.getUTCFullYear() < 0) {
    throw new CborError(
      'cbor: decoded time cannot be represented in RFC3339 format with sub-second precision: Time.MarshalText: year outside of range [0,9999]',
    );
  }
  return time.toISOString().replace(/\.?0*Z$/, 'Z');
}

/**
 * Reads one item in JSON shape, as Go reads it into an `interface{}`: without tags, and with both kinds of strings as
 * text.
 */
export function readValue(reader: CborReader, outer: LaterEncoding): JsonValue {
  let encoding = outer;
  while (reader.type === major.tag) {
    const tag = reader.tag();
    if (tag === 0) return timeText(reader.textString());
    if (tag === 1) return epochText(reader);
    encoding = laterEncoding(tag) ?? encoding;
  }
  switch (reader.type) {
    case major.positive:
    case major.negative:
      return readInt64(reader);
    case major.bytes:
      return encodedText(reader.byteString(), encoding);
    case major.text:
      return reader.textString();
    case major.array: {
      const list: JsonValue[] = [];
      reader.each(() => void list.push(readValue(reader, encoding)));
      return list;
    }
    case major.map:
      return readObject(reader, encoding);
    default:
      return reader.other();
  }
}

/**
 * Reads any CBOR in JSON shape: a byte string is text (base64 if it is tagged for base64), an integer beyond 2^53-1 is
 * a bigint.
 * @throws CborError
 */
export function parseCbor(bytes: Buffer): JsonValue {
  checkWellFormed(bytes);
  return readValue(new CborReader(bytes), 0);
}
