import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { innerSchema } from '#shared/apimachinery/schema/inner-schema.ts';
import type { Field, ListSchema, MapSchema, Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { mayHoldZeroTime } from '#shared/apimachinery/schema/zero-time.ts';
import { ProtobufWriter } from '#shared/protobuf/protobuf-writer.ts';
import { tagBytes } from '#shared/protobuf/varint.ts';
import { sortedKeys } from '#shared/serializer/json/go-text.ts';
import { listItems, schemaForm, type SchemaForm } from '#shared/serializer/json/schema-forms.ts';
import { scalarCodec } from './scalars.ts';

/**
 * Writes the content of a present value (without its key), back to front; a length-delimited value writes its length as
 * well.
 */
export type WriteValue = (writer: ProtobufWriter, value: JsonValue) => void;

/**
 * Writes a field of the given object, with its key; an absent field is written as the generated marshalers write it.
 */
export type WriteField = (writer: ProtobufWriter, object: JsonObject) => void;

export interface ValueCodec {
  readonly wireType: number;
  readonly write: WriteValue;
}

const messages = new WeakMap<StructSchema, WriteField[]>();
const empty: JsonObject = {};

/** Field writers of a message, highest number first, since the buffer is filled from its end. */
function messageOf(schema: StructSchema): WriteField[] {
  let fields = messages.get(schema);
  if (fields === undefined) {
    fields = messageFields(schema).map(fieldWriter);
    messages.set(schema, fields);
  }
  return fields;
}

/** The fields of a message in the order of writing. */
export function messageFields(schema: StructSchema): Field[] {
  return schema.fields.filter((field) => field.number > 0).toSorted((a, b) => b.number - a.number);
}

/** Writes the content of a message without its length. */
function writeMessage(writer: ProtobufWriter, schema: StructSchema, object: JsonObject): void {
  const fields = messageOf(schema);
  for (let i = 0; i < fields.length; i++) (fields[i] as WriteField)(writer, object);
}

/** Writes a message with its length in front. */
export function writeNested(writer: ProtobufWriter, schema: StructSchema, object: JsonObject): void {
  const end = writer.written;
  writeMessage(writer, schema, object);
  writer.varint(writer.written - end);
}

export function valueCodec(schema: Schema): ValueCodec {
  switch (schema.kind) {
    case 'scalar':
      return scalarCodec(schema.type);
    case 'struct':
      return { wireType: 2, write: structCodec(schema) };
    case 'list':
      return { wireType: 2, write: wrappedList(schema) };
    case 'map':
      throw new Error('protobuf has no map inside a list or map');
  }
}

function structCodec(schema: StructSchema): WriteValue {
  const form = schemaForm(schema);
  if (form !== undefined) return formWriter(schema, form);
  return (writer, value) => writeNested(writer, schema, value as JsonObject);
}

/** Structs whose JSON has two forms: the schema is field 1 (2 beside a boolean), the list field 2. */
function formWriter(schema: StructSchema, form: SchemaForm): WriteValue {
  const writeList = repeated(2, { kind: 'list', items: listItems(schema, form) });
  return (writer, value) => {
    const end = writer.written;
    const isSchema = isObject(value);
    if (isSchema) {
      writeNested(writer, innerSchema(schema), value);
      writer.byte(form === 'orBool' ? 18 : 10);
    } else if (Array.isArray(value)) writeList(writer, value);
    if (form === 'orBool') {
      writer.byte(isSchema || value === true ? 1 : 0);
      writer.byte(8);
    }
    writer.varint(writer.written - end);
  };
}

/** Writes a list that is a message of its own: `repeated items = 1`. */
function wrappedList(schema: ListSchema): WriteValue {
  const write = repeated(1, schema);
  return (writer, value) => {
    const end = writer.written;
    write(writer, value);
    writer.varint(writer.written - end);
  };
}

export function fieldWriter(field: Field): WriteField {
  const { name, schema } = field;
  if (field.inline) return inlineWriter(field);
  if (schema.kind === 'map') return whenPresent(name, mapWriter(field.number, schema));
  if (schema.kind === 'list' && schema.wrapped !== true) return whenPresent(name, repeated(field.number, schema));
  const codec = valueCodec(schema);
  const tag = tagBytes(field.number, codec.wireType);
  const zero = field.pointer ? undefined : protobufZero(schema);
  const zeroTime = mayHoldZeroTime(field) ? protobufZero(schema) : undefined;
  return (writer, object) => {
    const value = getKey(object, name);
    if (value !== undefined && value !== null) codec.write(writer, value);
    else if (value === null && zeroTime !== undefined) zeroTime(writer);
    else if (zero !== undefined) zero(writer);
    else return;
    writer.bytes(tag);
  };
}

function whenPresent(name: string, write: WriteValue): WriteField {
  return (writer, object) => {
    const value = getKey(object, name);
    if (value !== undefined && value !== null) write(writer, value);
  };
}

function inlineWriter(field: Field): WriteField {
  const schema = field.schema as StructSchema;
  const tag = tagBytes(field.number, 2);
  const names = field.pointer ? schema.flat.map((inner) => inner.name) : undefined;
  return (writer, object) => {
    if (names?.every((name) => getKey(object, name) === undefined)) return;
    writeNested(writer, schema, object);
    writer.bytes(tag);
  };
}

/**
 * A writer for the zero value of a field that is not a pointer: the generated marshalers always write such fields,
 * except nil lists and bytes.
 */
export function protobufZero(schema: Schema): ((writer: ProtobufWriter) => void) | undefined {
  if (schema.kind === 'scalar') return scalarCodec(schema.type).zero;
  if (schema.kind === 'list') return undefined;
  let content: Uint8Array | undefined;
  return (writer) => {
    content ??= encodeWith((inner) => writeZeroStruct(inner, schema as StructSchema));
    writer.bytes(content);
  };
}

function writeZeroStruct(writer: ProtobufWriter, schema: StructSchema): void {
  const form = schemaForm(schema);
  if (form === undefined) writeNested(writer, schema, empty);
  else formWriter(schema, form)(writer, null);
}

/** Runs on a writer of its own, so that it may be used while another message is being written. */
function encodeWith(write: (writer: ProtobufWriter) => void): Uint8Array {
  const writer = new ProtobufWriter(1024);
  write(writer);
  return writer.copy();
}

let emptyLists = 0;

/** How many empty lists, which a message does not hold, have been passed over since the process started. */
export function emptyListsSoFar(): number {
  return emptyLists;
}

/** Writes repeated values, each with its key (gogo's proto2 never packs). */
function repeated(number: number, schema: ListSchema): WriteValue {
  let codec: ValueCodec | undefined;
  let zero: ((writer: ProtobufWriter) => void) | undefined;
  let tag: Uint8Array | undefined;
  return (writer, value) => {
    const list = value as JsonValue[];
    if (list.length === 0) return void emptyLists++;
    codec ??= valueCodec(schema.items);
    tag ??= tagBytes(number, codec.wireType);
    for (let i = list.length - 1; i >= 0; i--) {
      const item = list[i] as JsonValue;
      if (item !== null) codec.write(writer, item);
      else (zero ??= protobufZero(schema.items))?.(writer);
      writer.bytes(tag);
    }
  };
}

/** Writes map entries in the order of their keys; key and value are written even when empty, nil bytes excepted. */
function mapWriter(number: number, schema: MapSchema): WriteValue {
  const tag = tagBytes(number, 2);
  let codec: ValueCodec | undefined;
  return (writer, value) => {
    codec ??= valueCodec(schema.values);
    const map = value as JsonObject;
    const keys = sortedKeys(map);
    for (let i = keys.length - 1; i >= 0; i--) {
      const key = keys[i] as string;
      writeMapEntry(writer, schema, codec, key, getKey(map, key) as JsonValue);
      writer.bytes(tag);
    }
  };
}

/** Writes a map entry with its length, without the key of its field. */
export function writeMapEntry(
  writer: ProtobufWriter,
  schema: MapSchema,
  codec: ValueCodec,
  key: string,
  item: JsonValue,
): void {
  const end = writer.written;
  const zero = item === null ? protobufZero(schema.values) : undefined;
  if (item !== null) codec.write(writer, item);
  else zero?.(writer);
  if (item !== null || zero !== undefined) writer.byte(16 + codec.wireType);
  writer.varint(writer.text(key));
  writer.byte(10);
  writer.varint(writer.written - end);
}

const shared = new ProtobufWriter();

/**
 * Encodes protobuf as the reference's generated marshalers do, byte for byte; apiVersion and kind are not in the
 * message.
 */
export function encodeProtobuf(schema: StructSchema, object: JsonObject): Buffer {
  try {
    writeMessage(shared, schema, object);
    return shared.copy();
  } finally {
    shared.reset();
  }
}
