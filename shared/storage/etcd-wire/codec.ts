import { getKey, setKey } from '#shared/apimachinery/json/json.ts';
import type { MessageField, MessageType } from './message-type.ts';
import { wireType } from './message-type.ts';
import { ProtoError, ProtoReader } from './proto-reader.ts';
import { ProtoWriter } from './proto-writer.ts';

/** Deeper nesting (transactions within transactions) is refused instead of filling the stack. */
const maxDepth = 100;

/** A message that the encoder accepts: fields may be left out, and a nested message may be its encoded bytes. */
export type Encodable<T> = T extends Uint8Array | string | number | boolean | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Encodable<Item>[]
    : { readonly [K in keyof T]?: Encodable<T[K]> | undefined } | Uint8Array;

const writer = new ProtoWriter();

/**
 * Encodes a message.
 * @param headroom bytes left free in front, for the frame's head.
 */
export function encodeMessage<T>(type: MessageType<T>, value: Encodable<T>, headroom = 0): Buffer {
  writer.reset();
  writeMessage(type as MessageType<object>, value as object);
  return writer.finish(headroom);
}

function writeMessage(type: MessageType<object>, value: object): void {
  if (value instanceof Uint8Array) return writer.bytes(value);
  const fields = type.fields;
  const record = value as Record<string, unknown>;
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i] as MessageField;
    const content = getKey(record, field.name);
    if (content === undefined) continue;
    if (field.repeated) writeList(field, content as readonly unknown[]);
    else writeField(field, content, false);
  }
}

function writeList(field: MessageField, items: readonly unknown[]): void {
  if (field.kind === 'enum') {
    if (items.length === 0) return;
    const before = writer.length;
    for (let i = items.length - 1; i >= 0; i--) writer.varint(enumNumber(field, items[i]));
    writer.varint(writer.length - before);
    writer.varint(field.number * 8 + 2);
    return;
  }
  for (let i = items.length - 1; i >= 0; i--) writeField(field, items[i], true);
}

/** @param always whether a default value is written too, as list items are. */
function writeField(field: MessageField, content: unknown, always: boolean): void {
  switch (field.kind) {
    case 'message': {
      const before = writer.length;
      writeMessage((field.type as () => MessageType<object>)(), content as object);
      writer.varint(writer.length - before);
      break;
    }
    case 'bytes': {
      const bytes = content as Uint8Array;
      if (bytes.length === 0 && !always) return;
      writer.bytes(bytes);
      writer.varint(bytes.length);
      break;
    }
    case 'string': {
      if (content === '' && !always) return;
      const before = writer.length;
      writer.string(content as string);
      writer.varint(writer.length - before);
      break;
    }
    case 'int64':
      if (content === 0) return;
      writer.int64(content as number);
      break;
    case 'bool':
      if (content === false) return;
      writer.varint(1);
      break;
    case 'enum': {
      const number = enumNumber(field, content);
      if (number === 0) return;
      writer.varint(number);
      break;
    }
    default:
      if (content === '0' || content === '') return;
      writer.uint64(BigInt.asUintN(64, BigInt(content as string)));
  }
  writer.varint(field.number * 8 + wireType(field));
}

function enumNumber(field: MessageField, name: unknown): number {
  const number = field.names.indexOf(name as string);
  if (number >= 0) return number;
  throw new TypeError(`${field.name}: no such value: ${String(name)}`);
}

/**
 * Decodes a message; unknown fields are skipped. Byte fields are views on `buffer`.
 * @throws ProtoError
 */
export function decodeMessage<T>(type: MessageType<T>, buffer: Buffer, start = 0, end = buffer.length): T {
  return readMessage(type as MessageType<object>, new ProtoReader(buffer, start), end, 0) as T;
}

function readMessage(type: MessageType<object>, reader: ProtoReader, end: number, depth: number): object {
  if (depth > maxDepth) throw new ProtoError('message is nested too deep');
  const result = type.create();
  const record = result as Record<string, unknown>;
  const byTag = type.byTag;
  while (reader.position < end) {
    const tag = reader.uint32();
    const field = byTag[tag];
    if (field === undefined) {
      if (tag < 8) throw new ProtoError(`illegal tag ${tag}`);
      reader.skip(tag & 7, end);
    } else if (field.repeated) {
      const list = getKey(record, field.name) as unknown[];
      if (field.kind !== 'enum' || (tag & 7) === 0) list.push(readValue(field, reader, end, depth));
      else readPacked(field, list, reader, end, depth);
    } else {
      setKey(record, field.name, readValue(field, reader, end, depth));
    }
  }
  if (reader.position > end) throw new ProtoError('unexpected EOF');
  return result;
}

/** Reads the items of a packed repeated field. */
function readPacked(field: MessageField, list: unknown[], reader: ProtoReader, end: number, depth: number): void {
  const packedEnd = reader.fieldEnd(end);
  while (reader.position < packedEnd) list.push(readValue(field, reader, packedEnd, depth));
}

function readValue(field: MessageField, reader: ProtoReader, end: number, depth: number): unknown {
  switch (field.kind) {
    case 'int64':
      return reader.int64();
    case 'bool':
      return reader.int64() !== 0;
    case 'bytes': {
      const fieldEnd = reader.fieldEnd(end);
      const view = reader.buffer.subarray(reader.position, fieldEnd);
      reader.position = fieldEnd;
      return view;
    }
    case 'string': {
      const fieldEnd = reader.fieldEnd(end);
      const text = reader.buffer.toString('utf8', reader.position, fieldEnd);
      reader.position = fieldEnd;
      return text;
    }
    case 'message': {
      const fieldEnd = reader.fieldEnd(end);
      return readMessage((field.type as () => MessageType<object>)(), reader, fieldEnd, depth + 1);
    }
    case 'enum': {
      const number = reader.uint32();
      return field.names[number] ?? `UNKNOWN_${number}`;
    }
    case 'id':
      return signedText(reader.uint64());
    default:
      return unsignedText(reader.uint64());
  }
}

function signedText(value: bigint): string {
  return BigInt.asIntN(64, value).toString();
}

let lastUnsigned = 0n;
let lastUnsignedText = '0';
/** The decimal text. The last one is cached: cluster and member ids are in every header and hardly ever change. */
function unsignedText(value: bigint): string {
  if (value !== lastUnsigned) {
    lastUnsigned = value;
    lastUnsignedText = value.toString();
  }
  return lastUnsignedText;
}
