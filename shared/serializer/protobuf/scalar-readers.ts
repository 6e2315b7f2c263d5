import { formatDuration } from '../../apimachinery/duration.ts';
import type { JsonValue } from '../../apimachinery/json.ts';
import { canonicalQuantity } from '../../apimachinery/quantity.ts';
import type { ScalarType } from '../../apimachinery/schema.ts';
import { parseJson } from '../json/parse.ts';
import type { Reader } from './reader.ts';

/** Reads the content of a value that ends at `stop` (length-delimited) or within the message's `end` (others). */
export type ReadValue = (reader: Reader, stop: number) => JsonValue | undefined;

export interface ScalarReader {
  readonly wireType: 0 | 1 | 2 | 5;
  /** Gives undefined for Go's nil or zero of a type that JSON shows as null (times, raw values). */
  readonly read: ReadValue;
}

const readText: ReadValue = (reader, stop) => reader.text(stop);
const readInt32: ReadValue = (reader, end) => Number(reader.int64(end)) | 0;
const readUint32: ReadValue = (reader, end) => Number(reader.int64(end)) >>> 0;

function readBytes(reader: Reader, stop: number): string {
  const text = reader.buffer.toString('base64', reader.position, stop);
  reader.position = stop;
  return text;
}

/** Fields of a small message, by number; unknown ones are passed over. */
function eachField(reader: Reader, stop: number, visit: (number: number, wireType: number) => boolean): void {
  while (reader.position < stop) {
    const key = reader.varint(stop);
    if (!visit(key >>> 3, key & 7)) reader.skip(key & 7, stop);
  }
}

/** Seconds and nanoseconds; undefined for an empty message (Go's zero time). */
function readTimestamp(reader: Reader, stop: number): { seconds: number; nanos: number } | undefined {
  if (reader.position === stop) return undefined;
  let seconds = 0;
  let nanos = 0;
  eachField(reader, stop, (number, wireType) => {
    if (wireType !== 0 || number > 2) return false;
    if (number === 1) seconds = Number(reader.int64(stop));
    else nanos = Number(reader.int64(stop)) | 0;
    return true;
  });
  return { seconds, nanos };
}

/** Second 0 of the year 1: Go's zero time. */
const zeroSeconds = -62135596800;

function secondsText(seconds: number): string {
  const text = new Date(seconds * 1000).toISOString();
  return text.slice(0, text.length - 5);
}

function readTime(reader: Reader, stop: number): string | undefined {
  const stamp = readTimestamp(reader, stop);
  return stamp === undefined || stamp.seconds === zeroSeconds ? undefined : secondsText(stamp.seconds) + 'Z';
}

function readMicroTime(reader: Reader, stop: number): string | undefined {
  const stamp = readTimestamp(reader, stop);
  if (stamp === undefined || (stamp.seconds === zeroSeconds && stamp.nanos === 0)) return undefined;
  return secondsText(stamp.seconds) + '.' + String(Math.floor(stamp.nanos / 1000)).padStart(6, '0') + 'Z';
}

function readDuration(reader: Reader, stop: number): string {
  let nanos: number | bigint = 0;
  eachField(reader, stop, (number, wireType) => {
    if (number !== 1 || wireType !== 0) return false;
    nanos = reader.int64(stop);
    return true;
  });
  return formatDuration(BigInt(nanos));
}

function readQuantity(reader: Reader, stop: number): string {
  let text = '0';
  eachField(reader, stop, (number, wireType) => {
    if (number !== 1 || wireType !== 2) return false;
    text = reader.text(reader.block(stop));
    return true;
  });
  return canonicalQuantity(text);
}

function readIntOrString(reader: Reader, stop: number): JsonValue {
  let isText = false;
  let number = 0;
  let text = '';
  eachField(reader, stop, (field, wireType) => {
    if (field === 1 && wireType === 0) isText = reader.varint(stop) === 1;
    else if (field === 2 && wireType === 0) number = Number(reader.int64(stop)) | 0;
    else if (field === 3 && wireType === 2) text = reader.text(reader.block(stop));
    else return false;
    return true;
  });
  return isText ? text : number;
}

function readRaw(reader: Reader, stop: number): JsonValue | undefined {
  let value: JsonValue | undefined;
  eachField(reader, stop, (number, wireType) => {
    if (number !== 1 || wireType !== 2) return false;
    const end = reader.block(stop);
    if (end > reader.position) value = parseJson(reader.buffer.subarray(reader.position, end));
    reader.position = end;
    return true;
  });
  return value;
}

function readDouble(reader: Reader): number {
  const value = reader.buffer.readDoubleLE(reader.position);
  reader.position += 8;
  return value;
}

function readFloat(reader: Reader): number {
  const value = reader.buffer.readFloatLE(reader.position);
  reader.position += 4;
  return value;
}

const raw: ScalarReader = { wireType: 2, read: readRaw };

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
  rawExtension: raw,
  fieldsV1: raw,
  json: raw,
};

export function scalarReader(type: ScalarType): ScalarReader {
  return readers[type];
}
