import { Buffer } from 'node:buffer';
import { isObject } from '../../apimachinery/json.ts';
import { skipValue } from '../../apimachinery/json-bytes.ts';
import type { Field, ListSchema, MapSchema, ScalarType, Schema, StructSchema } from '../../apimachinery/schema.ts';
import { parsePrinted } from '../json/parse.ts';
import { schemaForm } from '../json/schema-forms.ts';
import { encodeProtobuf } from './encode.ts';
import { ForwardOutput } from './forward-output.ts';
import { JsonCursor, UnexpectedJson } from './json-cursor.ts';
import { tagBytes } from './writer.ts';

/** Writes the value at the cursor, with its key, and moves the cursor behind it. */
type Copy = (cursor: JsonCursor, out: ForwardOutput) => void;

/** A member of an object, in the order of the JSON. */
interface Slot {
  /** `"name":` */
  readonly key: Buffer;
  readonly number: number;
  readonly copy: Copy;
  /** What is written where the member is absent. */
  readonly zero: Uint8Array;
  /** Its members stand among those of the parent, while protobuf nests them. */
  readonly inline: Message | undefined;
}

interface Message {
  readonly slots: readonly Slot[];
  /** The JSON has the fields in the order of their numbers. */
  readonly ascending: boolean;
}

const messages = new WeakMap<StructSchema, Message>();

function messageOf(schema: StructSchema): Message {
  let message = messages.get(schema);
  if (message === undefined) {
    const slots = schema.fields.flatMap((field) => slotsOf(schema, field));
    message = { slots, ascending: slots.every(({ number }, at) => number >= (slots[at - 1]?.number ?? 0)) };
    messages.set(schema, message);
  }
  return message;
}

const nothing = new Uint8Array(0);

function slotsOf(schema: StructSchema, field: Field): Slot[] {
  const key = Buffer.from(`${JSON.stringify(field.name)}:`);
  if (field.number === 0) {
    // Kind and version stand in the envelope.
    if (field.inline) return (field.schema as StructSchema).fields.flatMap((inner) => slotsOf(schema, { ...inner, number: 0 }));
    return [{ key, number: 0, copy: (cursor) => cursor.skip(), zero: nothing, inline: undefined }];
  }
  const alone: StructSchema = { ...schema, fields: [field] };
  const zero = encodeProtobuf(alone, {});
  if (field.inline) return [{ key, number: field.number, copy: inlineCopy(field), zero, inline: messageOf(field.schema as StructSchema) }];
  return [{ key, number: field.number, copy: fieldCopy(field) ?? parsedCopy(alone, field.name), zero, inline: undefined }];
}

function inlineCopy({ number, schema }: Field): Copy {
  const tag = tagBytes(number, 2);
  const message = messageOf(schema as StructSchema);
  return (cursor, out) => {
    out.copyOf(tag);
    const start = out.open();
    copyMembers(cursor, out, message, true);
    out.close(start);
  };
}

/** What is rare: the value is parsed, and written as any other. */
function parsedCopy(alone: StructSchema, name: string): Copy {
  return (cursor, out) => out.copyOf(encodeProtobuf(alone, { [name]: parsePrinted(cursor.takeText()) }));
}

/** Undefined for what is rare. */
function fieldCopy({ number, schema }: Field): Copy | undefined {
  if (schema.kind === 'map') return mapCopy(number, schema);
  if (schema.kind === 'list') return schema.wrapped === true ? undefined : listCopy(number, schema);
  return valueCopy(number, schema);
}

function valueCopy(number: number, schema: Schema): Copy | undefined {
  if (schema.kind === 'struct') {
    if (schema.custom !== undefined || schemaForm(schema) !== undefined) return undefined;
    return tagged(number, 2, nestedCopy(schema));
  }
  if (schema.kind !== 'scalar') return undefined;
  const scalar = scalars[schema.type];
  return scalar === undefined ? undefined : tagged(number, scalar.wireType, scalar.copy);
}

function tagged(number: number, wireType: number, copy: Copy): Copy {
  const tag = tagBytes(number, wireType);
  return (cursor, out) => {
    out.copyOf(tag);
    copy(cursor, out);
  };
}

function nestedCopy(schema: StructSchema): Copy {
  let message: Message | undefined;
  return (cursor, out) => {
    message ??= messageOf(schema);
    const start = out.open();
    cursor.openObject();
    copyMembers(cursor, out, message, false);
    cursor.closeObject();
    out.close(start);
  };
}

function listCopy(number: number, { items }: ListSchema): Copy | undefined {
  const copy = valueCopy(number, items);
  return copy && ((cursor, out) => {
    for (let more = cursor.openList(); more; more = cursor.nextItem()) copy(cursor, out);
  });
}

function mapCopy(number: number, { values }: MapSchema): Copy | undefined {
  const tag = tagBytes(number, 2);
  const copy = valueCopy(2, values);
  return copy && ((cursor, out) => {
    cursor.openObject();
    for (; cursor.atString(); cursor.skipComma()) {
      out.copyOf(tag);
      const start = out.open();
      out.bytes[out.at++] = 10;
      cursor.copyString(out);
      cursor.colon();
      copy(cursor, out);
      out.close(start);
    }
    cursor.closeObject();
  });
}

/** Positions of fields that may have to change places: number and start of each, nested messages above their parents. */
const segments: number[] = [];

/** Copies the members at the cursor; of an inline struct those that belong to it. */
function copyMembers(cursor: JsonCursor, out: ForwardOutput, { slots, ascending }: Message, inline: boolean): void {
  const base = segments.length;
  let next = 0;
  while (cursor.atString()) {
    const index = findSlot(cursor, slots, next);
    if (index < 0) {
      if (inline) break;
      throw new UnexpectedJson();
    }
    for (; next < index; next++) writeZero(out, slots[next] as Slot, ascending);
    const slot = slots[next++] as Slot;
    if (!ascending) segments.push(slot.number, out.at);
    if (slot.inline !== undefined) slot.copy(cursor, out);
    else {
      cursor.position += slot.key.length;
      if (cursor.skipNull()) out.copyOf(slot.zero);
      else slot.copy(cursor, out);
      cursor.skipComma();
    }
  }
  for (; next < slots.length; next++) writeZero(out, slots[next] as Slot, ascending);
  if (!ascending) putInOrder(out, base);
}

function writeZero(out: ForwardOutput, { number, zero }: Slot, ascending: boolean): void {
  if (zero.length === 0) return;
  if (!ascending) segments.push(number, out.at);
  out.copyOf(zero);
}

/** The slot of the key at the cursor, from `next` on. */
function findSlot(cursor: JsonCursor, slots: readonly Slot[], next: number): number {
  for (let index = next; index < slots.length; index++) {
    const { key, inline } = slots[index] as Slot;
    if (inline === undefined ? cursor.isKey(key) : findSlot(cursor, inline.slots, 0) >= 0) return index;
  }
  return -1;
}

let scratch = Buffer.allocUnsafeSlow(16 * 1024);

/** Brings what was written since `base` in the order of the fields' numbers. */
function putInOrder(out: ForwardOutput, base: number): void {
  let sorted = true;
  for (let at = base + 2; at < segments.length && sorted; at += 2) sorted = (segments[at - 2] as number) <= (segments[at] as number);
  if (!sorted) rearrange(out, base);
  segments.length = base;
}

function rearrange(out: ForwardOutput, base: number): void {
  const start = segments[base + 1] as number;
  const length = out.at - start;
  if (scratch.length < length) scratch = Buffer.allocUnsafeSlow(length * 2);
  out.bytes.copy(scratch, 0, start, out.at);
  const order = sortedSegments(base);
  const end = out.at;
  out.at = start;
  for (const at of order) out.copyRange(scratch, (segments[at + 1] as number) - start, (segments[at + 3] ?? end) - start);
  if (scratch.length > keptScratch) scratch = Buffer.allocUnsafeSlow(16 * 1024);
}

const keptScratch = 1024 * 1024;

/** Where the segments stand, by number: few, and nearly in order. */
function sortedSegments(base: number): number[] {
  const order: number[] = [];
  for (let at = base; at < segments.length; at += 2) {
    const number = segments[at] as number;
    let place = order.length;
    for (; place > 0 && (segments[order[place - 1] as number] as number) > number; place--) order[place] = order[place - 1] as number;
    order[place] = at;
  }
  return order;
}

interface ScalarCopy {
  readonly wireType: number;
  readonly copy: Copy;
}

const boxedText: Copy = (cursor, out) => {
  const start = out.open();
  out.bytes[out.at++] = 10;
  cursor.copyString(out);
  out.close(start);
};

const rawCopy: Copy = (cursor, out) => {
  const end = skipValue(cursor.json, cursor.position);
  const start = out.open();
  out.bytes[out.at++] = 10;
  out.varint(end - cursor.position);
  out.copyRange(cursor.json, cursor.position, end);
  cursor.position = end;
  out.close(start);
};

const intOrStringCopy: Copy = (cursor, out) => {
  const isText = cursor.atString();
  const start = out.open();
  out.reserve(0);
  out.bytes[out.at++] = 8;
  out.bytes[out.at++] = isText ? 1 : 0;
  out.bytes[out.at++] = 16;
  if (isText) out.bytes[out.at++] = 0;
  else cursor.copyInteger(out);
  out.bytes[out.at++] = 26;
  if (isText) cursor.copyString(out);
  else out.bytes[out.at++] = 0;
  out.close(start);
};

const timeCopy: Copy = (cursor, out) => {
  const start = out.open();
  out.reserve(0);
  out.bytes[out.at++] = 8;
  out.varint(cursor.takeSeconds());
  out.bytes[out.at++] = 16;
  out.bytes[out.at++] = 0;
  out.close(start);
};

const integer: ScalarCopy = { wireType: 0, copy: (cursor, out) => cursor.copyInteger(out) };
const raw: ScalarCopy = { wireType: 2, copy: rawCopy };

/** The others are rare. */
const scalars: Partial<Record<ScalarType, ScalarCopy>> = {
  string: { wireType: 2, copy: (cursor, out) => cursor.copyString(out) },
  bool: { wireType: 0, copy: (cursor, out) => cursor.copyBoolean(out) },
  int32: integer, int64: integer, uint32: integer, uint64: integer,
  bytes: { wireType: 2, copy: (cursor, out) => cursor.copyBase64(out) },
  quantity: { wireType: 2, copy: boxedText },
  intOrString: { wireType: 2, copy: intOrStringCopy },
  time: { wireType: 2, copy: timeCopy },
  rawExtension: raw, fieldsV1: raw, json: raw,
};

const shared = new ForwardOutput();

/**
 * Protobuf as {@link encodeProtobuf} writes it, straight from the canonical JSON of an object (our own print), which is
 * neither parsed nor built. What is printed otherwise is parsed after all.
 */
export function protobufOfJson(schema: StructSchema, json: Buffer): Buffer {
  return convert(schema, json, (out) => Buffer.from(out.bytes.subarray(0, out.at)), (bytes) => bytes);
}

/** Length of what {@link protobufOfJson} gives, without memory for it. */
export function protobufLengthOfJson(schema: StructSchema, json: Buffer): number {
  return convert(schema, json, (out) => out.at, (bytes) => bytes.length);
}

function convert<Result>(schema: StructSchema, json: Buffer, take: (out: ForwardOutput) => Result, takeEncoded: (bytes: Buffer) => Result): Result {
  try {
    shared.reserve(json.length);
    const cursor = new JsonCursor(json, 0);
    cursor.openObject();
    copyMembers(cursor, shared, messageOf(schema), false);
    cursor.closeObject();
    return take(shared);
  } catch (error) {
    if (!(error instanceof UnexpectedJson)) throw error;
    const value = parsePrinted(json.toString('utf8'));
    return takeEncoded(encodeProtobuf(schema, isObject(value) ? value : {}));
  } finally {
    shared.reset();
    segments.length = 0;
  }
}
