import { getKey, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { isGoStruct } from '#shared/apimachinery/schema/go-struct.ts';
import { innerSchema } from '#shared/apimachinery/schema/inner-schema.ts';
import type { Field, ListSchema, MapSchema, Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { mayHoldZeroTime } from '#shared/apimachinery/schema/zero-time.ts';
import { isSliced, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { ProtobufError, ProtobufReader } from '#shared/protobuf/protobuf-reader.ts';
import { listItems, schemaForm, zeroForm, type SchemaForm } from '#shared/serializer/json/schema-forms.ts';
import { isZero } from '#shared/serializer/json/zero.ts';
import { scalarReader, type ReadValue } from './scalar-readers.ts';
import { readFields, wrongWireType, type SmallMessage } from './small-message.ts';

/** Reads one occurrence of a field into the object. */
type ReadField = (reader: ProtobufReader, object: JsonObject, end: number) => void;

interface FieldReader {
  readonly goName: string;
  readonly wireType: number;
  readonly read: ReadField;
  /** Set for repeated scalars that are not length-delimited: they may also be packed. */
  readonly readPacked?: ReadField;
  /** Set where the field is a struct or a list of structs: its schema, and where the decoded object is put. */
  readonly nested?: Nested;
}

interface Nested {
  readonly schema: StructSchema;
  /** Undefined where the fields of the struct are fields of the object that holds it. */
  readonly put?: (object: JsonObject, value: JsonObject) => void;
}

const messages = new WeakMap<StructSchema, readonly (FieldReader | undefined)[]>();

/** Field readers by number. */
function messageOf(schema: StructSchema): readonly (FieldReader | undefined)[] {
  const known = messages.get(schema);
  if (known !== undefined) return known;
  const made: (FieldReader | undefined)[] = [];
  messages.set(schema, made);
  for (const field of schema.fields) if (field.number > 0) made[field.number] = fieldReader(field);
  return made;
}

/** Deeper messages are refused: no type of the API nests so deep, and the stack is finite. */
const maxDepth = 1000;
let depth = 0;

function readMessage(reader: ProtobufReader, schema: StructSchema, object: JsonObject, end: number): void {
  if (++depth > maxDepth) throw new ProtobufError('exceeded max depth');
  const fields = messageOf(schema);
  while (reader.position < end) {
    const key = reader.tag(schema.goName, end);
    const wireType = key & 7;
    const field = fields[key >>> 3];
    if (field === undefined) reader.skip(wireType, end);
    else if (wireType === field.wireType) field.read(reader, object, wireType === 2 ? reader.block(end) : end);
    else if (wireType === 2 && field.readPacked !== undefined) field.readPacked(reader, object, reader.block(end));
    else throw wrongWireType(wireType, field.goName);
  }
  depth--;
}

/** Messages with fewer bytes are read in one step. */
const largeMessage = 4096;

/**
 * As {@link readMessage}; `level` is the depth, which is passed along since other messages may be read between two
 * steps.
 */
function* readMessageInSteps(
  reader: ProtobufReader,
  schema: StructSchema,
  object: JsonObject,
  end: number,
  level: number,
): Steps<void> {
  if (level > maxDepth) throw new ProtobufError('exceeded max depth');
  const fields = messageOf(schema);
  while (reader.position < end) {
    const key = reader.tag(schema.goName, end);
    const wireType = key & 7;
    const field = fields[key >>> 3];
    depth = level;
    if (field === undefined) reader.skip(wireType, end);
    else if (wireType === field.wireType) {
      const stop = wireType === 2 ? reader.block(end) : end;
      if (field.nested === undefined || stop - reader.position < largeMessage) field.read(reader, object, stop);
      else yield* readNestedInSteps(reader, field.nested, object, stop, level + 1);
    } else if (wireType === 2 && field.readPacked !== undefined) field.readPacked(reader, object, reader.block(end));
    else throw wrongWireType(wireType, field.goName);
    if (sliceIsOver()) yield;
  }
}

function* readNestedInSteps(
  reader: ProtobufReader,
  { schema, put }: Nested,
  object: JsonObject,
  stop: number,
  level: number,
): Steps<void> {
  const inner: JsonObject = put === undefined ? object : {};
  yield* readMessageInSteps(reader, schema, inner, stop, level);
  put?.(object, inner);
}

function readStruct(schema: StructSchema): ReadValue {
  const form = schemaForm(schema);
  if (form !== undefined) return readForm(schema, form);
  return (reader, stop) => {
    const object: JsonObject = {};
    readMessage(reader, schema, object, stop);
    return object;
  };
}

const formMessages: Record<SchemaForm, SmallMessage> = {
  orArray: { name: 'JSONSchemaPropsOrArray', fields: [undefined, ['Schema', 2], ['JSONSchemas', 2]] },
  orBool: { name: 'JSONSchemaPropsOrBool', fields: [undefined, ['Allows', 0], ['Schema', 2]] },
  orStringArray: { name: 'JSONSchemaPropsOrStringArray', fields: [undefined, ['Schema', 2], ['Property', 2]] },
};

/** Structs whose JSON has two forms: the schema is field 1 (2 beside a boolean), the list field 2. */
function readForm(schema: StructSchema, form: SchemaForm): ReadValue {
  const message = formMessages[form];
  const schemaNumber = form === 'orBool' ? 2 : 1;
  const items = valueReader(listItems(schema, form));
  return (reader, stop) => {
    let inner: JsonObject | undefined;
    let allows = false;
    const list: JsonValue[] = [];
    readFields(reader, message, stop, (number) => {
      if (number === schemaNumber) readMessage(reader, innerSchema(schema), (inner ??= {}), reader.block(stop));
      else if (number === 2) list.push(items.read(reader, reader.block(stop)) ?? null);
      else allows = reader.varint(stop) !== 0;
    });
    if (form === 'orBool') return inner ?? allows;
    return list.length > 0 ? list : inner;
  };
}

interface ValueReader {
  readonly wireType: number;
  readonly read: ReadValue;
}

function valueReader(schema: Schema): ValueReader {
  switch (schema.kind) {
    case 'scalar':
      return scalarReader(schema.type);
    case 'struct':
      return { wireType: 2, read: readStruct(schema) };
    case 'list':
      return { wireType: 2, read: readWrapped(schema) };
    case 'map':
      throw new Error('protobuf has no map inside a list or map');
  }
}

/** Reads a list that is a message of its own: `repeated items = 1`. */
function readWrapped({ items, goType = '' }: ListSchema): ReadValue {
  let known: { readonly item: ValueReader; readonly message: SmallMessage } | undefined;
  return (reader, stop) => {
    const item = known?.item ?? valueReader(items);
    known ??= {
      item,
      message: { name: goType.slice(goType.lastIndexOf('.') + 1), fields: [undefined, ['Items', item.wireType]] },
    };
    const list: JsonValue[] = [];
    readFields(
      reader,
      known.message,
      stop,
      () => void list.push(item.read(reader, item.wireType === 2 ? reader.block(stop) : stop) ?? null),
    );
    return list;
  };
}

function fieldReader(field: Field): FieldReader {
  const { schema, name, goName } = field;
  if (field.inline) {
    const inner = schema as StructSchema;
    return {
      goName,
      wireType: 2,
      read: (reader, object, end) => readMessage(reader, inner, object, end),
      nested: { schema: inner },
    };
  }
  if (schema.kind === 'map') return { goName, wireType: 2, read: mapReader(name, schema) };
  if (schema.kind === 'list' && schema.wrapped !== true) return { goName, ...listReader(name, schema.items) };
  const { wireType, read } = valueReader(schema);
  const keeps = keepRule(field);
  const unset = mayHoldZeroTime(field) ? null : undefined;
  const put = (object: JsonObject, found: JsonValue | undefined): void => {
    const value = found === undefined ? unset : found;
    if (value !== undefined && (keeps === undefined || keeps(value))) setKey(object, name, value);
  };
  return {
    goName,
    wireType,
    read: (reader, object, end) => put(object, read(reader, end)),
    ...(isPlainStruct(schema) ? { nested: { schema, put } } : {}),
  };
}

/** A struct whose JSON has one form. */
function isPlainStruct(schema: Schema): schema is StructSchema {
  return schema.kind === 'struct' && schemaForm(schema) === undefined;
}

/**
 * Whether a value on the wire is kept in the JSON form: omitempty leaves out zero values of fields that are no
 * pointers. Empty bytes are kept, for callers that distinguish them from absent ones; the JSON printer leaves them out.
 */
function keepRule(field: Field): ((value: JsonValue) => boolean) | undefined {
  const { schema } = field;
  if (field.pointer || (!field.omitEmpty && !field.omitZero)) return undefined;
  if (schema.kind === 'scalar' && schema.type === 'bytes') return undefined;
  if (schema.kind === 'scalar' && !isGoStruct(schema)) return (value) => value !== '' && value !== 0 && value !== false;
  return field.omitZero ? (value) => !isZero(schema, value) : undefined;
}

function listReader(name: string, items: Schema): Omit<FieldReader, 'goName'> {
  const item = items.kind === 'struct' ? { wireType: 2, read: readStruct(items) } : valueReader(items);
  const listOf = (object: JsonObject): JsonValue[] => {
    const list = getKey(object, name);
    if (Array.isArray(list)) return list;
    const made: JsonValue[] = [];
    setKey(object, name, made);
    return made;
  };
  const read: ReadField = (reader, object, end) => void listOf(object).push(item.read(reader, end) ?? null);
  if (isPlainStruct(items))
    return { wireType: 2, read, nested: { schema: items, put: (object, value) => void listOf(object).push(value) } };
  if (item.wireType === 2) return { wireType: 2, read };
  const readPacked: ReadField = (reader, object, end) => {
    while (reader.position < end) read(reader, object, end);
  };
  return { wireType: item.wireType, read, readPacked };
}

/** The value of a map entry that has no value on the wire. */
function missingValue(schema: Schema): JsonValue {
  if (schema.kind === 'struct') return schema.jsonForm === undefined ? {} : zeroForm(schema.jsonForm);
  if (schema.kind !== 'scalar') return null;
  if (schema.type === 'string' || schema.type === 'bytes') return '';
  return schema.type === 'quantity' ? '0' : schema.type === 'bool' ? false : null;
}

function mapReader(name: string, schema: MapSchema): ReadField {
  let codec: ValueReader | undefined;
  return (reader, object, end) => {
    codec ??= valueReader(schema.values);
    let key = '';
    let value: JsonValue | undefined;
    while (reader.position < end) {
      const tag = reader.varint(end);
      // The fields of a map entry are distinguished by their numbers alone.
      if (tag >>> 3 === 1) key = reader.text(reader.block(end));
      else if (tag >>> 3 === 2) value = codec.read(reader, codec.wireType === 2 ? reader.block(end) : end);
      else reader.skip(tag & 7, end);
    }
    let map = getKey(object, name) as JsonObject | undefined;
    if (map === undefined) setKey(object, name, (map = {}));
    setKey(map, key, value ?? missingValue(schema.values));
  };
}

/**
 * Decodes protobuf directly to the JSON shape that Go would print, except that null lists are absent. apiVersion and
 * kind are not on the wire (see the envelope).
 * @throws ProtobufError with the text of the reference's unmarshaler
 */
export function decodeProtobuf(schema: StructSchema, bytes: Uint8Array): JsonObject {
  depth = 0;
  const object: JsonObject = {};
  const reader = new ProtobufReader(bytes);
  readMessage(reader, schema, object, reader.buffer.length);
  return object;
}

/** As {@link decodeProtobuf}, for long messages. */
export function* decodeProtobufInSteps(schema: StructSchema, bytes: Uint8Array): Steps<JsonObject> {
  if (!isSliced()) return decodeProtobuf(schema, bytes);
  const object: JsonObject = {};
  const reader = new ProtobufReader(bytes);
  yield* readMessageInSteps(reader, schema, object, reader.buffer.length, 1);
  return object;
}
