import { exactTextOf } from '#shared/apimachinery/json/exact-texts.ts';
import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Field, ListSchema, MapSchema, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { isSliced, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { ProtobufWriter } from '#shared/protobuf/protobuf-writer.ts';
import { tagBytes } from '#shared/protobuf/varint.ts';
import { sortedKeysInSteps } from '#shared/serializer/json/go-text.ts';
import { rawTextInSteps } from '#shared/serializer/json/loose-in-steps.ts';
import { isRaw, schemaForm } from '#shared/serializer/json/schema-forms.ts';
import {
  encodeProtobuf,
  fieldWriter,
  messageFields,
  valueCodec,
  writeMapEntry,
  protobufZero,
  type WriteField,
} from './encode.ts';
import { writeBoxedText } from './scalars.ts';

/** The bytes that `encodeProtobuf` makes, for large objects: checks the clock after each item and member. */
export function* encodeProtobufInSteps(schema: StructSchema, object: JsonObject): Steps<Buffer> {
  if (!isSliced()) return encodeProtobuf(schema, object);
  // A writer of its own: other objects are encoded between two steps.
  const writer = new ProtobufWriter();
  yield* writeMessage(writer, schema, object);
  return writer.copy();
}

interface SteppedField {
  readonly field: Field;
  /** Writes the field in one step. */
  readonly write: WriteField;
  /** Undefined for fields that are always short, which are written in one step. */
  readonly steps: ((writer: ProtobufWriter, value: JsonValue) => Steps<void>) | undefined;
}

const messages = new WeakMap<StructSchema, readonly SteppedField[]>();

function steppedFields(schema: StructSchema): readonly SteppedField[] {
  let fields = messages.get(schema);
  if (fields === undefined) {
    fields = messageFields(schema).map((field) => ({ field, write: fieldWriter(field), steps: fieldSteps(field) }));
    messages.set(schema, fields);
  }
  return fields;
}

function fieldSteps({ number, schema }: Field): SteppedField['steps'] {
  switch (schema.kind) {
    case 'map':
      return (writer, value) => writeMap(writer, number, schema, value as JsonObject);
    case 'list':
      return schema.wrapped === true
        ? undefined
        : (writer, value) => writeList(writer, number, schema, value as JsonValue[]);
    case 'struct':
      return schemaForm(schema) === undefined
        ? (writer, value) => writeTagged(writer, number, schema, value as JsonObject)
        : undefined;
    case 'scalar':
      return isRaw(schema) ? (writer, value) => writeRaw(writer, number, value) : undefined;
  }
}

function* writeMessage(writer: ProtobufWriter, schema: StructSchema, object: JsonObject): Steps<void> {
  for (const { field, write, steps } of steppedFields(schema)) {
    const value = field.inline ? inlined(field, object) : getKey(object, field.name);
    if (steps === undefined || typeof value !== 'object' || value === null) write(writer, object);
    else yield* steps(writer, value);
  }
}

/**
 * The members of an embedded struct are those of the containing object; an embedded pointer without any members is
 * absent.
 */
function inlined({ schema, pointer }: Field, object: JsonObject): JsonObject | undefined {
  if (pointer && (schema as StructSchema).flat.every(({ name }) => getKey(object, name) === undefined))
    return undefined;
  return object;
}

function* writeTagged(writer: ProtobufWriter, number: number, schema: StructSchema, object: JsonObject): Steps<void> {
  const end = writer.written;
  yield* writeMessage(writer, schema, object);
  writer.varint(writer.written - end);
  writer.bytes(tagBytes(number, 2));
}

function* writeList(
  writer: ProtobufWriter,
  number: number,
  schema: ListSchema,
  list: readonly JsonValue[],
): Steps<void> {
  const { items } = schema;
  const inSteps = fieldSteps({ number, schema: items } as Field);
  const codec = valueCodec(items);
  const tag = tagBytes(number, codec.wireType);
  for (let i = list.length - 1; i >= 0; i--) {
    const item = list[i] as JsonValue;
    if (inSteps !== undefined && isDeep(item)) yield* inSteps(writer, item);
    else {
      if (item !== null) codec.write(writer, item);
      else protobufZero(items)?.(writer);
      writer.bytes(tag);
    }
    if (sliceIsOver()) yield;
  }
}

/** Whether a value has nested objects or lists; other values are written in one step. */
function isDeep(value: JsonValue): boolean {
  if (!isObject(value)) return Array.isArray(value);
  for (const key in value) if (typeof value[key] === 'object') return true;
  return false;
}

function* writeMap(writer: ProtobufWriter, number: number, schema: MapSchema, map: JsonObject): Steps<void> {
  const tag = tagBytes(number, 2);
  const keys = yield* sortedKeysInSteps(map);
  const codec = valueCodec(schema.values);
  for (let i = keys.length - 1; i >= 0; i--) {
    const key = keys[i] as string;
    writeMapEntry(writer, schema, codec, key, getKey(map, key) as JsonValue);
    writer.bytes(tag);
    if (sliceIsOver()) yield;
  }
}

function* writeRaw(writer: ProtobufWriter, number: number, value: JsonValue): Steps<void> {
  writeBoxedText(writer, exactTextOf(value) ?? (yield* rawTextInSteps(value)));
  writer.bytes(tagBytes(number, 2));
}
