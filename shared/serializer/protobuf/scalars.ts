import { exactTextOf } from '#shared/apimachinery/json/exact-texts.ts';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import type { ScalarType } from '#shared/apimachinery/schema/schema.ts';
import { secondsOfCivil } from '#shared/apimachinery/values/civil-seconds.ts';
import { parseDuration } from '#shared/apimachinery/values/duration.ts';
import type { Int64 } from '#shared/apimachinery/values/int64.ts';
import type { ProtobufWriter } from '#shared/protobuf/protobuf-writer.ts';
import { rawText } from '#shared/serializer/json/loose.ts';

/** The wire format of a scalar. */
export interface ScalarCodec {
  readonly wireType: 0 | 1 | 2 | 5;
  readonly write: (writer: ProtobufWriter, value: JsonValue) => void;
  /** Writes the zero value; undefined where nil is not written (bytes). */
  readonly zero: ((writer: ProtobufWriter) => void) | undefined;
}

const writeZero = (writer: ProtobufWriter): void => writer.byte(0);

const stringCodec: ScalarCodec = {
  wireType: 2,
  write: (writer, value) => writer.varint(writer.text(value as string)),
  zero: writeZero,
};

const boolCodec: ScalarCodec = {
  wireType: 0,
  write: (writer, value) => writer.byte(value === true ? 1 : 0),
  zero: writeZero,
};

const integerCodec: ScalarCodec = { wireType: 0, write: writeInteger, zero: writeZero };

function writeInteger(writer: ProtobufWriter, value: JsonValue): void {
  if (typeof value === 'bigint') writer.varintBig(BigInt.asUintN(64, value));
  else writer.varint(value as number);
}

const bytesCodec: ScalarCodec = {
  wireType: 2,
  write: (writer, value) => writer.varint(writer.base64(value as string)),
  zero: undefined,
};

/** Writes the head of a message with one length-delimited field 1, after its own length. */
function boxed(writer: ProtobufWriter, size: number): void {
  const end = writer.written - size;
  writer.varint(size);
  writer.byte(10);
  writer.varint(writer.written - end);
}

const quantityCodec: ScalarCodec = {
  wireType: 2,
  write: (writer, value) => boxed(writer, writer.text(String(value))),
  zero: (writer) => boxed(writer, writer.text('0')),
};

/**
 * FieldsV1, JSON and RawExtension (whose text stays as the client sent it), all with `raw = 1`. Escaped as Go's encoder
 * does, since Go clients write most of these values.
 */
const rawCodec: ScalarCodec = {
  wireType: 2,
  write: (writer, value) => writeBoxedText(writer, rawText(value)),
  zero: writeZero,
};
const exactRawCodec: ScalarCodec = {
  ...rawCodec,
  write: (writer, value) => writeBoxedText(writer, exactTextOf(value) ?? rawText(value)),
};

/** Writes a message with one text field, for a caller that has the text. */
export function writeBoxedText(writer: ProtobufWriter, text: string): void {
  boxed(writer, writer.text(text));
}

function writeTimestamp(writer: ProtobufWriter, text: string, nanos: number): void {
  const end = writer.written;
  writer.varint(nanos);
  writer.byte(16);
  writeInteger(writer, secondsOf(text));
  writer.byte(8);
  writer.varint(writer.written - end);
}

/** The times of one object are mostly equal. */
let lastTime = '';
let lastSeconds: Int64 = 0;

function secondsOf(text: string): Int64 {
  if (text === lastTime) return lastSeconds;
  const ms = Date.parse(text);
  // Other programs wrote times of years that RFC 3339 does not have.
  lastSeconds = Number.isNaN(ms) ? (secondsOfCivil(text) ?? 0) : Math.floor(ms / 1000);
  lastTime = text;
  return lastSeconds;
}

const timeCodec: ScalarCodec = {
  wireType: 2,
  write: (writer, value) => writeTimestamp(writer, value as string, 0),
  zero: writeZero,
};

const microTimeCodec: ScalarCodec = { wireType: 2, write: writeMicroTime, zero: writeZero };

/** Writes a MicroTime, in the canonical form `2006-01-02T15:04:05.000000Z` only. */
function writeMicroTime(writer: ProtobufWriter, value: JsonValue): void {
  const [whole = '', fraction = ''] = (value as string).slice(0, -1).split('.');
  writeTimestamp(writer, `${whole}Z`, Number(fraction.padEnd(6, '0').slice(0, 6)) * 1000);
}

const intOrStringCodec: ScalarCodec = {
  wireType: 2,
  write: writeIntOrString,
  zero: (writer) => writeIntOrString(writer, 0),
};

function writeIntOrString(writer: ProtobufWriter, value: JsonValue): void {
  const end = writer.written;
  const isText = typeof value === 'string';
  writer.varint(isText ? writer.text(value) : 0);
  writer.byte(26);
  writeInteger(writer, isText ? 0 : value);
  writer.byte(16);
  writer.byte(isText ? 1 : 0);
  writer.byte(8);
  writer.varint(writer.written - end);
}

const durationCodec: ScalarCodec = {
  wireType: 2,
  write: (writer, value) => writeDuration(writer, parseDuration(value as string)),
  zero: (writer) => writeDuration(writer, 0n),
};

function writeDuration(writer: ProtobufWriter, nanos: bigint): void {
  const end = writer.written;
  writer.varintBig(BigInt.asUintN(64, nanos));
  writer.byte(8);
  writer.varint(writer.written - end);
}

const doubleCodec: ScalarCodec = {
  wireType: 1,
  write: (writer, value) => writer.double(Number(value)),
  zero: (writer) => writer.double(0),
};
const floatCodec: ScalarCodec = {
  wireType: 5,
  write: (writer, value) => writer.float(Number(value)),
  zero: (writer) => writer.float(0),
};

const codecs: Record<ScalarType, ScalarCodec> = {
  string: stringCodec,
  bool: boolCodec,
  int32: integerCodec,
  int64: integerCodec,
  uint32: integerCodec,
  uint64: integerCodec,
  float: floatCodec,
  double: doubleCodec,
  bytes: bytesCodec,
  time: timeCodec,
  microTime: microTimeCodec,
  duration: durationCodec,
  quantity: quantityCodec,
  intOrString: intOrStringCodec,
  rawExtension: exactRawCodec,
  fieldsV1: rawCodec,
  json: rawCodec,
};

export function scalarCodec(type: ScalarType): ScalarCodec {
  return codecs[type];
}
