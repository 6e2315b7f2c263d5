import { getKey, setKey } from '#shared/apimachinery/json/json.ts';
import { ProtobufError, ProtobufReader } from '#shared/protobuf/protobuf-reader.ts';
import { ProtobufWriter } from '#shared/protobuf/protobuf-writer.ts';
import type { MessageField, MessageType } from './message-type.ts';
import { wireType } from './message-type.ts';

/** Deeper nesting (transactions within transactions) is refused instead of filling the stack. */
const maxDepth = 100;

/** A message that the encoder accepts: fields may be left out, and a nested message may be its encoded bytes. */
export type Encodable<T> = T extends Uint8Array | string | number | boolean | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Encodable<Item>[]
    : { readonly [K in keyof T]?: Encodable<T[K]> | undefined } | Uint8Array;

const writer = new ProtobufWriter(16 * 1024);

/**
 * Encodes a message.
 * @param headroom bytes left free in front, for the frame's head.
 */
export function encodeMessage<T>(type: MessageType<T>, value: Encodable<T>, headroom = 0): Buffer {
  try {
    writeMessage(type as MessageType<object>, value as object);
    return writer.copy(headroom);
  } finally {
    writer.reset();
  }
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
    const before = writer.written;
    for (let i = items.length - 1; i >= 0; i--) writer.varint(enumNumber(field, items[i]));
    writer.varint(writer.written - before);
    writer.varint(field.number * 8 + 2);
    return;
  }
  for (let i = items.length - 1; i >= 0; i--) writeField(field, items[i], true);
}

/** @param always whether a default value is written too, as list items are. */
function writeField(field: MessageField, content: unknown, always: boolean): void {
  switch (field.kind) {
    case 'message': {
      const before = writer.written;
      writeMessage((field.type as () => MessageType<object>)(), content as object);
      writer.varint(writer.written - before);
      break;
    }
    case 'bytes': {
      const bytes = content as Uint8Array;
      if (bytes.length === 0 && !always) return;
      writer.bytes(bytes);
      writer.varint(bytes.length);
      break;
    }
    case 'string':
      if (content === '' && !always) return;
      writer.varint(writer.text(content as string));
      break;
    case 'int64':
      if (content === 0) return;
      writer.varint(content as number);
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
      writer.varintBig(BigInt.asUintN(64, BigInt(content as string)));
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
 * @throws ProtobufError
 */
export function decodeMessage<T>(type: MessageType<T>, buffer: Buffer, start = 0, end = buffer.length): T {
  return readMessage(type as MessageType<object>, new ProtobufReader(buffer, start), end, 0) as T;
}

function readMessage(type: MessageType<object>, reader: ProtobufReader, end: number, depth: number): object {
  if (depth > maxDepth) throw new ProtobufError('message is nested too deep');
  const result = type.create();
  const record = result as Record<string, unknown>;
  const byTag = type.byTag;
  while (reader.position < end) {
    const tag = reader.tag(type.name, end);
    const field = byTag[tag];
    if (field === undefined) {
      reader.skip(tag & 7, end);
    } else if (field.repeated) {
      const list = getKey(record, field.name) as unknown[];
      if (field.kind !== 'enum' || (tag & 7) === 0) list.push(readValue(field, reader, end, depth));
      else readPacked(field, list, reader, end, depth);
    } else {
      setKey(record, field.name, readValue(field, reader, end, depth));
    }
  }
  return result;
}

/** Reads the items of a packed repeated field. */
function readPacked(field: MessageField, list: unknown[], reader: ProtobufReader, end: number, depth: number): void {
  const stop = reader.block(end);
  while (reader.position < stop) list.push(readValue(field, reader, stop, depth));
}

function readValue(field: MessageField, reader: ProtobufReader, end: number, depth: number): unknown {
  switch (field.kind) {
    case 'int64':
      return Number(reader.int64(end));
    case 'bool':
      return reader.varint(end) !== 0;
    case 'bytes':
      return reader.bytes(reader.block(end));
    case 'string':
      return reader.text(reader.block(end));
    case 'message':
      return readMessage((field.type as () => MessageType<object>)(), reader, reader.block(end), depth + 1);
    case 'enum': {
      const number = reader.varint(end);
      return field.names[number] ?? `UNKNOWN_${number}`;
    }
    case 'id':
      return signedText(reader.varintBig(end));
    default:
      return unsignedText(reader.varintBig(end));
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
