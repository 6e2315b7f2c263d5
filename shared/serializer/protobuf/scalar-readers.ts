import { maxExactText } from '#shared/apimachinery/json/exact-texts.ts';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import type { ScalarType } from '#shared/apimachinery/schema/schema.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { civilText } from '#shared/apimachinery/values/civil-seconds.ts';
import { formatDuration } from '#shared/apimachinery/values/duration.ts';
import { addInt64, type Int64 } from '#shared/apimachinery/values/int64.ts';
import { canonicalQuantity } from '#shared/apimachinery/values/quantity.ts';
import type { ProtobufReader } from '#shared/protobuf/protobuf-reader.ts';
import { keepExactText } from '#shared/serializer/json/exact-raw.ts';
import { parseJson } from '#shared/serializer/json/parse.ts';
import { longestSharedSet, sharedFieldSet } from '#shared/serializer/json/shared-field-sets.ts';
import { readFields, type SmallMessage } from './small-message.ts';

/** Reads the content of a value that ends at `stop` (length-delimited) or within the message's `end` (others). */
export type ReadValue = (reader: ProtobufReader, stop: number) => JsonValue | undefined;

export interface ScalarReader {
  readonly wireType: 0 | 1 | 2 | 5;
  /** Returns undefined for nil and empty values that JSON shows as null (times, raw values), null for Go's zero time. */
  readonly read: ReadValue;
}

const readText: ReadValue = (reader, stop) => reader.text(stop);
const readInt32: ReadValue = (reader, end) => lowBits(reader.int64(end));
const readUint32: ReadValue = (reader, end) => lowBits(reader.int64(end)) >>> 0;

/** The low 32 bits of an integer, as gogo's decoders take them. */
function lowBits(value: Int64): number {
  return typeof value === 'bigint' ? Number(BigInt.asIntN(32, value)) : value | 0;
}

function readBytes(reader: ProtobufReader, stop: number): string {
  const text = reader.buffer.toString('base64', reader.position, stop);
  reader.position = stop;
  return text;
}

const timestamp: SmallMessage = { name: 'Timestamp', fields: [undefined, ['Seconds', 0], ['Nanos', 0]] };

interface Timestamp {
  readonly seconds: Int64;
  readonly nanos: number;
}

/** Seconds and nanoseconds; undefined for an empty message, which is Go's zero time, too. */
function readTimestamp(reader: ProtobufReader, stop: number): Timestamp | undefined {
  if (reader.position === stop) return undefined;
  let seconds: Int64 = 0;
  let nanos = 0;
  readFields(reader, timestamp, stop, (number) => {
    if (number === 1) seconds = reader.int64(stop);
    else nanos = lowBits(reader.int64(stop));
  });
  return { seconds, nanos };
}

/** Second 0 of the year 1: Go's zero time. */
const zeroSeconds = -62135596800;

/** The times of one object mostly lie within a second of each other. */
let lastSeconds: Int64 = Number.NaN;
let lastSecondsText = '';

function secondsText(seconds: Int64): string {
  if (seconds === lastSeconds) return lastSecondsText;
  lastSeconds = seconds;
  lastSecondsText = civilText(seconds);
  return lastSecondsText;
}

function readTime(reader: ProtobufReader, stop: number): string | null | undefined {
  const stamp = readTimestamp(reader, stop);
  if (stamp === undefined) return undefined;
  return stamp.seconds === zeroSeconds ? null : secondsText(stamp.seconds) + 'Z';
}

function readMicroTime(reader: ProtobufReader, stop: number): string | null | undefined {
  const stamp = readTimestamp(reader, stop);
  if (stamp === undefined) return undefined;
  const micros = Math.trunc(stamp.nanos / 1000);
  // Microseconds outside of a second move the second (time.Unix).
  const moved = Math.floor(micros / 1e6);
  const seconds = moved === 0 ? stamp.seconds : addInt64(stamp.seconds, moved);
  const fraction = micros - moved * 1e6;
  if (seconds === zeroSeconds && fraction === 0) return null;
  return `${secondsText(seconds)}.${String(fraction).padStart(6, '0')}Z`;
}

const duration: SmallMessage = { name: 'Duration', fields: [undefined, ['Duration', 0]] };

function readDuration(reader: ProtobufReader, stop: number): string {
  let nanos: number | bigint = 0;
  readFields(reader, duration, stop, () => {
    nanos = reader.int64(stop);
  });
  return formatDuration(BigInt(nanos));
}

const quantity: SmallMessage = { name: 'Quantity', fields: [undefined, ['String_', 2]] };

function readQuantity(reader: ProtobufReader, stop: number): string {
  let text = '0';
  readFields(reader, quantity, stop, () => {
    text = reader.text(reader.block(stop));
  });
  return canonicalQuantity(text);
}

const intOrString: SmallMessage = {
  name: 'IntOrString',
  fields: [undefined, ['Type', 0], ['IntVal', 0], ['StrVal', 2]],
};

function readIntOrString(reader: ProtobufReader, stop: number): JsonValue {
  let isText = false;
  let number = 0;
  let text = '';
  readFields(reader, intOrString, stop, (field) => {
    if (field === 1) isText = reader.varint(stop) === 1;
    else if (field === 2) number = lowBits(reader.int64(stop));
    else text = reader.text(reader.block(stop));
  });
  return isText ? text : number;
}

/** Parses a field set; invalid JSON counts as an empty field set, as does any field set that cannot be read. */
function parseFields(bytes: Buffer): JsonValue {
  try {
    return atOnce(parseJson(bytes));
  } catch {
    return '';
  }
}

function readFieldSet(bytes: Buffer): JsonValue {
  if (bytes.length > longestSharedSet) return parseFields(bytes);
  return sharedFieldSet(bytes.toString('latin1'), () => parseFields(bytes));
}

/** Parses raw JSON, and keeps its text beside the value where printing would change it. */
function parseExact(bytes: Buffer): JsonValue {
  const value = atOnce(parseJson(bytes));
  if (bytes.length <= maxExactText) keepExactText(value, bytes.toString('utf8'));
  return value;
}

/** Reads JSON in a message of one field. */
function rawReader(
  name: string,
  parse: (bytes: Buffer) => JsonValue = (bytes) => atOnce(parseJson(bytes)),
): ScalarReader {
  const message: SmallMessage = { name, fields: [undefined, ['Raw', 2]] };
  return {
    wireType: 2,
    read: (reader, stop) => {
      let value: JsonValue | undefined;
      readFields(reader, message, stop, () => {
        const end = reader.block(stop);
        if (end > reader.position) value = parse(reader.bytes(end));
      });
      return value;
    },
  };
}

function readDouble(reader: ProtobufReader): number {
  const value = reader.buffer.readDoubleLE(reader.position);
  reader.position += 8;
  return value;
}

function readFloat(reader: ProtobufReader): number {
  const value = reader.buffer.readFloatLE(reader.position);
  reader.position += 4;
  return value;
}

const readers: Record<ScalarType, ScalarReader> = {
  string: { wireType: 2, read: readText },
  bool: { wireType: 0, read: (reader, end) => reader.varint(end) !== 0 },
  int32: { wireType: 0, read: readInt32 },
  int64: { wireType: 0, read: (reader, end) => reader.int64(end) },
  uint32: { wireType: 0, read: readUint32 },
  uint64: { wireType: 0, read: (reader, end) => reader.uint64(end) },
  float: { wireType: 5, read: readFloat },
  double: { wireType: 1, read: readDouble },
  bytes: { wireType: 2, read: readBytes },
  time: { wireType: 2, read: readTime },
  microTime: { wireType: 2, read: readMicroTime },
  duration: { wireType: 2, read: readDuration },
  quantity: { wireType: 2, read: readQuantity },
  intOrString: { wireType: 2, read: readIntOrString },
  rawExtension: rawReader('RawExtension', parseExact),
  fieldsV1: rawReader('FieldsV1', readFieldSet),
  json: rawReader('JSON'),
};

export function scalarReader(type: ScalarType): ScalarReader {
  return readers[type];
}
