import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { innerSchema } from '#shared/apimachinery/schema/inner-schema.ts';
import type { Schema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import { parseJsonText } from '#shared/serializer/json/parse.ts';
import { listItems } from '#shared/serializer/json/schema-forms.ts';
import { major } from './cbor-error.ts';
import { Writer } from './writer.ts';

/** Tag 55799, which encloses every object and identifies it as CBOR (RFC 8949 §3.4.6). */
const selfDescribed = Buffer.from([0xd9, 0xd9, 0xf7]);
/** "Expected later encoding: base64" (RFC 8949 §3.4.5.2). */
const base64Tag = 22;

/** Whether bytes begin with the tag that encloses every object in CBOR. */
export function isCbor(bytes: Uint8Array): boolean {
  return bytes[0] === 0xd9 && bytes[1] === 0xd9 && bytes[2] === 0xf7;
}

/**
 * The order of keys: `given` keeps their order; `bytewise` sorts by their encoding (RFC 8949 §4.2.1), shorter keys
 * first, so that the same object always has the same bytes.
 */
type KeyOrder = 'given' | 'bytewise';

function keysOf(object: JsonObject, order: KeyOrder): string[] {
  if (order === 'given') return Object.keys(object);
  const keys = Object.keys(object).filter((key) => object[key] !== undefined);
  return keys.sort((a, b) => Buffer.byteLength(a) - Buffer.byteLength(b) || compareUtf8(a, b));
}

/** The schema of a member, which the printed JSON does not show. */
function memberSchema(schema: Schema | undefined, key: string): Schema | undefined {
  if (schema?.kind === 'map') return schema.values;
  if (schema?.kind !== 'struct' || schema.custom !== undefined) return undefined;
  return (schema.jsonForm === undefined ? schema : innerSchema(schema)).byName.get(key)?.schema;
}

function itemSchema(schema: Schema | undefined): Schema | undefined {
  if (schema?.kind === 'list') return schema.items;
  return schema?.kind === 'struct' && schema.jsonForm !== undefined ? listItems(schema, schema.jsonForm) : undefined;
}

function writeNumber(writer: Writer, schema: Schema | undefined, value: number | bigint): void {
  const isFloat = schema?.kind === 'scalar' && (schema.type === 'double' || schema.type === 'float');
  if (typeof value === 'bigint') {
    // An integer beyond int64 is a float in Go.
    if (BigInt.asIntN(64, value) === value && !isFloat) writer.integer(value);
    else writer.float(Number(value));
  } else if (isFloat || !Number.isSafeInteger(value)) writer.float(value);
  else writer.integer(value);
}

function writeValue(writer: Writer, schema: Schema | undefined, value: JsonValue, order: KeyOrder): void {
  if (value === null || typeof value === 'boolean') writer.simple(value);
  else if (typeof value === 'string') {
    if (schema?.kind === 'scalar' && schema.type === 'bytes') {
      writer.head(major.tag, base64Tag);
      writer.bytes(Buffer.from(value, 'base64'));
    } else writer.string(value);
  } else if (typeof value !== 'object') writeNumber(writer, schema, value);
  else if (Array.isArray(value)) {
    const items = itemSchema(schema);
    writer.head(major.array, value.length);
    for (const item of value) writeValue(writer, items, item, order);
  } else {
    const keys = keysOf(value, order);
    writer.head(major.map, keys.length);
    for (const key of keys) {
      writer.string(key);
      writeValue(writer, memberSchema(schema, key), getKey(value, key) as JsonValue, order);
    }
  }
}

const shared = new Writer();

function written(write: (writer: Writer) => void): Buffer {
  try {
    write(shared);
    return shared.take();
  } finally {
    shared.reset();
  }
}

/**
 * CBOR of an object from its canonical JSON, in which omitted, zero and null values are already decided; the schema
 * distinguishes byte strings and floats. Without a schema (custom resources) the value alone decides.
 */
export function cborOfJson(schema: Schema | undefined, json: Buffer, order: KeyOrder = 'given'): Buffer {
  const value = atOnce(parseJsonText(json.toString('utf8')));
  return written((writer) => {
    writer.raw(selfDescribed);
    writeValue(writer, schema, value, order);
  });
}

/** CBOR of a value within another value, hence without the tag; the keys in `without` are left out. */
export function cborItemOfJson(schema: Schema | undefined, json: Buffer, without: readonly string[] = []): Buffer {
  const value = atOnce(parseJsonText(json.toString('utf8')));
  for (const key of without) delete (value as JsonObject)[key];
  return written((writer) => writeValue(writer, schema, value, 'given'));
}

/** The stored bytes of a custom resource: the same object always gives the same bytes. */
export function encodeCborStored(object: JsonObject): Buffer {
  return written((writer) => {
    writer.raw(selfDescribed);
    writeValue(writer, undefined, object, 'bytewise');
  });
}

/** One event of a watch: a metav1.WatchEvent around the object's bytes, which include their tag. */
export function encodeCborWatchFrame(type: string, object: Uint8Array): Buffer {
  return written((writer) => {
    writer.raw(selfDescribed);
    writer.head(major.map, 2);
    writer.string('type');
    writer.string(type);
    writer.string('object');
    writer.raw(object);
  });
}

/**
 * The bytes before the items of a list: all other members and the head of the items.
 *
 * @param list printed JSON of the list with no items
 * @param name the member that holds the items
 */
export function cborListHead(list: Buffer, name: string, count: number): Buffer {
  const members = atOnce(parseJsonText(list.toString('utf8'))) as JsonObject;
  const others = Object.keys(members).filter((key) => key !== name);
  return written((writer) => {
    writer.raw(selfDescribed);
    writer.head(major.map, others.length + 1);
    for (const key of others) {
      writer.string(key);
      writeValue(writer, undefined, getKey(members, key) as JsonValue, 'given');
    }
    writer.string(name);
    if (getKey(members, name) === null) writer.simple(null);
    else writer.head(major.array, count);
  });
}
