import { Buffer } from 'node:buffer';
import { isObject } from '../../apimachinery/json.ts';
import type { StructSchema } from '../../apimachinery/schema.ts';
import { parsePrinted } from '../json/parse.ts';
import { encodeProtobuf } from './encode.ts';
import { JsonTape } from './json-tape.ts';
import { messageOf, UnexpectedJson } from './message-shape.ts';
import { TapeWriter } from './tape-writer.ts';

const noJson = Buffer.alloc(0);
const shared = new JsonTape(noJson);

/**
 * Protobuf as {@link encodeProtobuf} writes it, straight from the canonical JSON of an object (our own print), which is
 * neither parsed nor built. What is printed otherwise is parsed after all.
 */
export function protobufOfJson(schema: StructSchema, json: Buffer): Buffer {
  return convert(schema, json, (size) => {
    const out = Buffer.allocUnsafe(size);
    const writer = new TapeWriter(shared, out, 0);
    writer.parts(messageOf(schema).parts, 0);
    if (writer.at !== size) throw new Error(`${schema.name} has ${writer.at} bytes instead of ${size}`);
    return out;
  }, (bytes) => bytes);
}

/** Length of what {@link protobufOfJson} gives, without memory for it. */
export function protobufLengthOfJson(schema: StructSchema, json: Buffer): number {
  return convert(schema, json, (size) => size, (bytes) => bytes.length);
}

function convert<Result>(schema: StructSchema, json: Buffer, take: (size: number) => Result, takeEncoded: (bytes: Buffer) => Result): Result {
  try {
    return take(shared.readObject(json, 0, messageOf(schema)));
  } catch (error) {
    if (!(error instanceof UnexpectedJson)) throw error;
    const value = parsePrinted(json.toString('utf8'));
    return takeEncoded(encodeProtobuf(schema, isObject(value) ? value : {}));
  } finally {
    shared.reset(noJson);
  }
}
