import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { isGoStruct } from '#shared/apimachinery/schema/go-struct.ts';
import { innerSchema } from '#shared/apimachinery/schema/inner-schema.ts';
import type {
  Field,
  ListSchema,
  MapSchema,
  ScalarType,
  Schema,
  StructSchema,
} from '#shared/apimachinery/schema/schema.ts';
import { mayHoldZeroTime } from '#shared/apimachinery/schema/zero-time.ts';
import { formatFloat, formatFloat32, quoteJson, sortedKeys } from './go-text.ts';
import { looseText, rawText } from './loose.ts';
import { listItems, schemaForm, zeroForm, type SchemaForm } from './schema-forms.ts';
import { isZero } from './zero.ts';

/** Text of a present value. */
type Write = (value: JsonValue) => string;

/** How a field of a struct is printed. */
export interface FieldWriter {
  readonly name: string;
  readonly schema: Schema;
  /** `"name":` */
  readonly key: string;
  readonly write: Write;
  /**
   * The text for an absent value; undefined where an absent field is left out. Computed lazily, since a struct may
   * contain itself.
   */
  readonly absent: () => string | undefined;
  /** Whether null is a value of the field. */
  readonly takesNull: boolean;
  /** Whether a present value is left out (omitempty, omitzero); undefined where no present value is left out. */
  readonly omit: ((value: JsonValue) => boolean) | undefined;
}

/** Schemas are immutable and shared, so each is compiled once in the life of the process. */
const compiled = new WeakMap<Schema, Write>();

/** The writer of a schema. Compiled at first use. */
export function writerOf(schema: Schema): Write {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const made = makeWriter(schema);
  compiled.set(schema, made);
  return made;
}

/** As {@link writerOf}, but compiles when first called, for recursive schemas. */
function deferredWriterOf(schema: Schema): Write {
  if (schema.kind === 'scalar') return writerOf(schema);
  let write: Write = (value) => {
    write = writerOf(schema);
    return write(value);
  };
  return (value) => write(value);
}

function makeWriter(schema: Schema): Write {
  switch (schema.kind) {
    case 'scalar':
      return scalarWriter(schema.type);
    case 'list':
      return listWriter(schema);
    case 'map':
      return mapWriter(schema);
    case 'struct':
      return structWriter(schema);
  }
}

function scalarWriter(type: ScalarType): Write {
  switch (type) {
    case 'bool':
      return (value) => (value === true ? 'true' : 'false');
    case 'int32':
    case 'int64':
    case 'uint32':
    case 'uint64':
      return (value) => String(value);
    case 'float':
      return (value) => formatFloat32(Number(value));
    case 'double':
      return (value) => formatFloat(Number(value));
    case 'intOrString':
      return (value) => (typeof value === 'string' ? quoteJson(value) : String(value));
    case 'rawExtension':
    case 'fieldsV1':
    case 'json':
      return rawText;
    default:
      return (value) => (typeof value === 'string' ? quoteJson(value) : looseText(value));
  }
}

/** The text that Go prints for the zero value of a type that is not a pointer and not omitted. */
export function zeroText(schema: Schema): string {
  if (schema.kind === 'struct') return zeroStructText(schema);
  if (schema.kind !== 'scalar') return 'null';
  switch (schema.type) {
    case 'string':
      return '""';
    case 'bool':
      return 'false';
    case 'int32':
    case 'int64':
    case 'uint32':
    case 'uint64':
    case 'float':
    case 'double':
    case 'intOrString':
      return '0';
    case 'quantity':
      return '"0"';
    case 'duration':
      return '"0s"';
    default:
      return 'null';
  }
}

function zeroStructText(schema: StructSchema): string {
  const form = schemaForm(schema);
  return form === undefined ? writerOf(schema)({}) : String(zeroForm(form));
}

function listWriter(schema: ListSchema): Write {
  const write = deferredWriterOf(schema.items);
  const nullItem = schema.itemPointer === true ? () => 'null' : () => zeroText(schema.items);
  return (list) => {
    if (!Array.isArray(list)) return looseText(list);
    let out = '[';
    for (let i = 0; i < list.length; i++) {
      const item = list[i] as JsonValue;
      if (i !== 0) out += ',';
      out += item === null ? nullItem() : write(item);
    }
    return out + ']';
  };
}

function mapWriter(schema: MapSchema): Write {
  const write = deferredWriterOf(schema.values);
  return (map) => {
    const object = map as JsonObject;
    let out = '{';
    for (const key of sortedKeys(object)) {
      const value = getKey(object, key) as JsonValue;
      if (out.length !== 1) out += ',';
      out += quoteJson(key) + ':' + (value === null ? zeroText(schema.values) : write(value));
    }
    return out + '}';
  };
}

function formWriter(schema: StructSchema, form: SchemaForm): Write {
  const writeObject = deferredWriterOf(innerSchema(schema));
  const writeList = listWriter({ kind: 'list', items: listItems(schema, form) });
  return (value) => {
    if (typeof value !== 'object' || value === null) return looseText(value);
    if (!Array.isArray(value)) return writeObject(value);
    // An empty list is written as null, since the form then counts as empty.
    return value.length === 0 ? 'null' : writeList(value);
  };
}

function structWriter(schema: StructSchema): Write {
  if (schema.custom !== undefined) return looseText;
  const form = schemaForm(schema);
  if (form !== undefined) return formWriter(schema, form);
  const fields = fieldWriters(schema);
  const writeSparse = fields.length >= manyFields ? sparseWriter(fields) : undefined;
  return (value) => {
    const object = value as JsonObject;
    if (writeSparse !== undefined) {
      const keys = Object.keys(object);
      if (keys.length * sparseness <= fields.length) return writeSparse(object, keys);
    }
    let out = '{';
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i] as FieldWriter;
      const text = memberText(field, getKey(object, field.name));
      if (text === undefined) continue;
      out += out.length === 1 ? field.key + text : ',' + field.key + text;
    }
    return out + '}';
  };
}

/** For a type with this many fields or more, listing an object's keys may be worth its cost. */
const manyFields = 12;
/** An object counts as sparse if at most one in this many of its type's fields is set. */
const sparseness = 3;

/**
 * Writes an object that sets few of its type's many fields: visits only the set fields and those that are never
 * omitted.
 */
function sparseWriter(fields: readonly FieldWriter[]): (object: JsonObject, keys: readonly string[]) => string {
  const places = new Map(fields.map(({ name }, index) => [name, index]));
  let always: number[] | undefined;
  return (object, keys) => {
    always ??= fields.flatMap(({ absent }, index) => (absent() === undefined ? [] : [index]));
    const at = always.slice();
    for (const key of keys) {
      const place = places.get(key);
      if (place !== undefined && !at.includes(place)) at.push(place);
    }
    sortNumbers(at);
    let out = '{';
    for (let i = 0; i < at.length; i++) {
      const field = fields[at[i] as number] as FieldWriter;
      const text = memberText(field, getKey(object, field.name));
      if (text === undefined) continue;
      out += out.length === 1 ? field.key + text : ',' + field.key + text;
    }
    return out + '}';
  };
}

/** Sorts a short list that is nearly in order (insertion sort). */
function sortNumbers(list: number[]): void {
  for (let i = 1; i < list.length; i++) {
    const value = list[i] as number;
    let at = i;
    for (; at > 0 && (list[at - 1] as number) > value; at--) list[at] = list[at - 1] as number;
    list[at] = value;
  }
}

/** The text of a member; undefined where the member is left out. */
export function memberText(field: FieldWriter, value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return value === null && field.takesNull ? 'null' : field.absent();
  return field.omit === undefined || !field.omit(value) ? field.write(value) : undefined;
}

const writersOfFields = new WeakMap<StructSchema, readonly FieldWriter[]>();

/** The field writers in the order of printing. Made once for each struct. */
export function fieldWriters(schema: StructSchema): readonly FieldWriter[] {
  let writers = writersOfFields.get(schema);
  if (writers === undefined) writersOfFields.set(schema, (writers = schema.flat.map(fieldWriter)));
  return writers;
}

function fieldWriter(field: Field): FieldWriter {
  return {
    name: field.name,
    schema: field.schema,
    key: quoteJson(field.name) + ':',
    write: deferredWriterOf(field.schema),
    absent: absentText(field),
    takesNull: mayHoldZeroTime(field),
    omit: omitRule(field),
  };
}

function absentText(field: Field): () => string | undefined {
  if (field.pointer) return field.omitEmpty || field.omitZero ? () => undefined : () => 'null';
  if (field.omitZero || (field.omitEmpty && !isGoStruct(field.schema))) return () => undefined;
  let text: string | undefined;
  return () => (text ??= zeroText(field.schema));
}

function omitRule(field: Field): FieldWriter['omit'] {
  if (field.pointer) return undefined;
  const { schema } = field;
  if (isGoStruct(schema)) return field.omitZero ? (value) => isZero(schema, value) : undefined;
  if (!field.omitEmpty && !field.omitZero) return undefined;
  if (schema.kind === 'list')
    return field.omitEmpty ? (value) => Array.isArray(value) && value.length === 0 : undefined;
  if (schema.kind === 'map') return field.omitEmpty ? isEmptyObject : undefined;
  return (value) => value === '' || value === 0 || value === false || value === 0n;
}

function isEmptyObject(value: JsonValue): boolean {
  for (const key in value as JsonObject) if (Object.hasOwn(value as JsonObject, key)) return false;
  return true;
}

/** Canonical JSON text, byte for byte what the reference's encoder prints. */
export function jsonText(schema: StructSchema, object: JsonObject): string {
  return writerOf(schema)(object);
}

/**
 * Canonical JSON as Go's encoder prints the reference's type: declared field order, omitempty and omitzero, zero values
 * of fields that are never omitted, sorted map keys, Go's escapes. No trailing newline.
 */
export function encodeJson(schema: StructSchema, object: JsonObject): Buffer {
  return Buffer.from(writerOf(schema)(object), 'utf8');
}
