import { Buffer } from 'node:buffer';
import { skipValue } from '#shared/apimachinery/json/json-bytes.ts';
import { isObject } from '#shared/apimachinery/json/json.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { parsePrinted } from '#shared/serializer/json/parse.ts';
import { encodeProtobuf } from './encode.ts';
import type { JoinedBytes } from './joined-bytes.ts';
import { JsonTape } from './json-tape.ts';
import { messageOf, UnexpectedJson } from './message-shape.ts';
import { TapeWriter } from './tape-writer.ts';

const noJson = Buffer.alloc(0);
const shared = new JsonTape(noJson);

/**
 * Protobuf as {@link encodeProtobuf} writes it, directly from the canonical JSON that this server printed, without
 * parsing it into an object. Other JSON is parsed and encoded.
 */
export function protobufOfJson(schema: StructSchema, json: Buffer): Buffer {
  return convert(
    schema,
    json,
    0,
    (size) => {
      const out = Buffer.allocUnsafe(size);
      writeTape(schema, size, out, 0);
      return out;
    },
    (bytes) => bytes,
  );
}

/**
 * The length of the message that {@link protobufOfJson} makes of the object that begins at `at`, without allocating the
 * message.
 */
export function protobufLengthOfJson(schema: StructSchema, json: Buffer, at = 0): number {
  return convert(
    schema,
    json,
    at,
    (size) => size,
    (bytes) => bytes.length,
  );
}

/** The message of {@link protobufOfJson} in pieces: long strings are views of the JSON. */
export function protobufPiecesOfJson(schema: StructSchema, json: Buffer): readonly Uint8Array[] {
  return convert<readonly Uint8Array[]>(
    schema,
    json,
    0,
    (size) => {
      const pieces: Uint8Array[] = [];
      const ownBytes = size - shared.longBytes;
      const writer = new TapeWriter(shared, Buffer.allocUnsafe(ownBytes), 0, pieces);
      writer.parts(messageOf(schema).parts, 0);
      writer.finishPiece();
      if (writer.at !== ownBytes) throw new Error(`${schema.name} has ${writer.at} bytes instead of ${ownBytes}`);
      return pieces;
    },
    (bytes) => [bytes],
  );
}

/** Appends the message. `before` is called with its length and writes what precedes it. */
export function appendProtobufOfJson(
  schema: StructSchema,
  json: Buffer,
  at: number,
  out: JoinedBytes,
  before: (length: number) => void,
): void {
  convert(
    schema,
    json,
    at,
    (size) => {
      before(size);
      out.reserve(size);
      writeTape(schema, size, out.bytes, out.at);
      out.at += size;
    },
    (bytes) => {
      before(bytes.length);
      out.append(bytes);
    },
  );
}

function writeTape(schema: StructSchema, size: number, out: Buffer, at: number): void {
  const writer = new TapeWriter(shared, out, at);
  writer.parts(messageOf(schema).parts, 0);
  if (writer.at !== at + size) throw new Error(`${schema.name} has ${writer.at - at} bytes instead of ${size}`);
}

function convert<Result>(
  schema: StructSchema,
  json: Buffer,
  at: number,
  take: (size: number) => Result,
  takeEncoded: (bytes: Buffer) => Result,
): Result {
  try {
    return take(shared.readObject(json, at, messageOf(schema)));
  } catch (error) {
    if (!(error instanceof UnexpectedJson)) throw error;
    const value = atOnce(parsePrinted(json.toString('utf8', at, skipValue(json, at))));
    return takeEncoded(encodeProtobuf(schema, isObject(value) ? value : {}));
  } finally {
    shared.reset(noJson);
  }
}
