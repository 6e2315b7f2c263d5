import { decodeBase64, Base64Error } from '#shared/apimachinery/bytes/base64.ts';
import { setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { innerSchema } from '#shared/apimachinery/schema/inner-schema.ts';
import type {
  Field,
  ListSchema,
  MapSchema,
  ScalarSchema,
  Schema,
  StructSchema,
} from '#shared/apimachinery/schema/schema.ts';
import { goTypeOfSchema } from '#shared/serializer/json/go-types.ts';
import { listItems, type SchemaForm } from '#shared/serializer/json/schema-forms.ts';
import { zeroValue } from '#shared/serializer/json/zero.ts';
import { CborError, CborTypeError, major, majorName } from './cbor-error.ts';
import {
  cborNull,
  cborUndefined,
  duplicateKey,
  encodedText,
  laterEncoding,
  type LaterEncoding,
} from './decode-value.ts';
import { mismatch } from './mismatch.ts';
import { CborReader } from './reader.ts';
import { integerRange, readInteger, readOwnForm } from './typed-scalars.ts';

export interface DecodedCbor {
  readonly object: JsonObject;
  /** The strict decoder's error for a field that the type does not have; there is never more than one. */
  readonly unknownField: string | undefined;
}

/** Reads items into the JSON shape of their types. Undefined stands for a value that Go leaves unset. */
class TypedReader {
  readonly #reader: CborReader;
  #encoding: LaterEncoding = 0;
  /** Index of the first unknown key, as the decoder reports it: the index in the outermost object. */
  unknown: number | undefined;
  /** The name of the root's field that is being read. */
  rootField = '';
  #depth = 0;

  constructor(reader: CborReader) {
    this.#reader = reader;
  }

  value(schema: Schema, pointer: boolean): JsonValue | undefined {
    const reader = this.#reader;
    // A pointer field accepts CBOR's `undefined` as well as null.
    if ((reader.firstByte === cborNull && !isIntOrString(schema)) || (pointer && isNil(reader))) {
      reader.skip();
      return undefined;
    }
    const own = schema.kind === 'scalar' ? readOwnForm(schema.type, reader) : undefined;
    if (own !== undefined) return own.value;
    if (schema.kind === 'struct' && schema.jsonForm !== undefined) return this.#form(schema, schema.jsonForm);
    const before = this.#encoding;
    // Skips tags; some of them give the encoding of the byte strings in them.
    while (reader.type === major.tag) this.#encoding = laterEncoding(reader.tag()) ?? this.#encoding;
    const value = this.#untagged(schema);
    this.#encoding = before;
    return value;
  }

  #untagged(schema: Schema): JsonValue | undefined {
    if (this.#reader.firstByte === cborNull) {
      this.#reader.skip();
      return undefined;
    }
    switch (schema.kind) {
      case 'scalar':
        return this.#scalar(schema);
      case 'list':
        return this.#list(schema);
      case 'map':
        return this.#map(schema);
      case 'struct':
        return this.#struct(schema);
    }
  }

  #mismatch(schema: Schema, why = ''): never {
    throw mismatch(this.#reader, goTypeOfSchema(schema), why);
  }

  #scalar(schema: ScalarSchema): JsonValue | undefined {
    const reader = this.#reader;
    switch (reader.type) {
      case major.positive:
      case major.negative:
        return this.#integer(schema);
      case major.bytes:
        if (schema.type === 'bytes') return this.#bytes();
        return schema.type === 'string' ? encodedText(reader.byteString(), this.#encoding) : this.#mismatch(schema);
      case major.text:
        return schema.type === 'string' ? reader.textString() : this.#mismatch(schema);
      case major.array:
        return schema.type === 'bytes' ? this.#byteList() : this.#mismatch(schema);
      case major.other:
        return this.#other(schema);
      default:
        return this.#mismatch(schema);
    }
  }

  #other(schema: ScalarSchema): JsonValue {
    const value = this.#reader.other();
    if (typeof value === 'boolean' ? schema.type === 'bool' : isFloat(schema)) return value;
    throw new CborTypeError(majorName(major.other), goTypeOfSchema(schema));
  }

  #integer(schema: ScalarSchema): JsonValue {
    const reader = this.#reader;
    if (isFloat(schema)) return Number(reader.integer());
    const range = integerRange(schema.type);
    if (range === undefined || (range.min === 0n && reader.type === major.negative)) return this.#mismatch(schema);
    return readInteger(reader, goTypeOfSchema(schema), range);
  }

  /** A byte string without an encoding tag holds base64 text, as in JSON. */
  #bytes(): string {
    const content = this.#reader.byteString();
    if (this.#encoding !== 0) return content.toString('base64');
    try {
      return decodeBase64(content.toString('latin1')).toString('base64');
    } catch (error) {
      if (error instanceof Base64Error)
        throw new CborError(`cbor: failed to decode base64 from byte string: ${error.message}`);
      throw error;
    }
  }

  #byteList(): string {
    const bytes: number[] = [];
    const reader = this.#reader;
    reader.each(() => {
      if (reader.type === major.positive) bytes.push(Number(readInteger(reader, 'uint8', { min: 0n, max: 255n })));
      else if (reader.firstByte !== cborNull) throw mismatch(reader, 'uint8');
      else {
        bytes.push(0);
        reader.skip();
      }
    });
    return Buffer.from(bytes).toString('base64');
  }

  #list(schema: ListSchema): JsonValue | undefined {
    if (this.#reader.type !== major.array) return this.#mismatch(schema);
    const list: JsonValue[] = [];
    const pointer = schema.itemPointer === true;
    this.#reader.each(
      () => void list.push(this.value(schema.items, pointer) ?? (pointer ? null : zeroValue(schema.items))),
    );
    return list;
  }

  #map(schema: MapSchema): JsonValue | undefined {
    if (this.#reader.type !== major.map) return this.#mismatch(schema);
    const map: JsonObject = {};
    this.#reader.each((index) => {
      const key = String(this.value(text, false) ?? '');
      const value = this.value(schema.values, false) ?? zeroValue(schema.values);
      if (Object.hasOwn(map, key)) throw duplicateKey(key, index);
      setKey(map, key, value);
    });
    return map;
  }

  #struct(schema: StructSchema): JsonValue | undefined {
    if (this.#reader.type === major.array)
      return this.#mismatch(schema, 'cannot decode CBOR array to struct without toarray option');
    if (this.#reader.type !== major.map) return this.#mismatch(schema);
    const object: JsonObject = {};
    const seen = new Set<string | number | bigint>();
    const earlier = this.unknown;
    let own: number | undefined;
    this.unknown = undefined;
    this.#depth++;
    this.#reader.each((index) => {
      const key = this.#fieldName();
      if (seen.has(key)) throw duplicateKey(key, index);
      seen.add(key);
      const field = typeof key === 'string' ? schema.byName.get(key) : undefined;
      if (field !== undefined) this.#member(field, object);
      else {
        own ??= index;
        this.#reader.skip();
      }
    });
    this.#depth--;
    this.unknown = earlier ?? own ?? this.unknown;
    return object;
  }

  #member(field: Field, object: JsonObject): void {
    if (this.#depth === 1) this.rootField = field.name;
    const value = this.value(field.schema, field.pointer);
    if (value !== undefined) setKey(object, field.name, value);
    if (this.#depth === 1) this.rootField = '';
  }

  #fieldName(): string | number | bigint {
    const reader = this.#reader;
    switch (reader.type) {
      case major.bytes:
        return reader.byteString().toString('utf8');
      case major.text:
        return reader.textString();
      case major.positive:
      case major.negative:
        return reader.integer();
      default: {
        const name = majorName(reader.type);
        throw new CborTypeError(
          name,
          'string',
          `map key is of type ${name} and cannot be used to match struct field name`,
        );
      }
    }
  }

  /** Reads a type of apiextensions with a decoder of its own, which decides by the first byte. */
  #form(schema: StructSchema, form: SchemaForm): JsonValue | undefined {
    const reader = this.#reader;
    while (reader.type === major.tag && reader.isSelfDescribed) reader.tag();
    const { type, firstByte } = reader;
    if (type === major.map) return this.#struct(innerSchema(schema));
    if (form !== 'orBool' && type === major.array) return this.#list({ kind: 'list', items: listItems(schema, form) });
    if (form !== 'orBool') {
      this.#reader.skip();
      return undefined;
    }
    if (firstByte !== 0xf4 && firstByte !== 0xf5) throw new CborError('boolean or JSON schema expected');
    return this.#reader.other();
  }
}

const text: Schema = { kind: 'scalar', type: 'string' };

function isFloat(schema: ScalarSchema): boolean {
  return schema.type === 'double' || schema.type === 'float';
}

function isIntOrString(schema: Schema): boolean {
  return schema.kind === 'scalar' && schema.type === 'intOrString';
}

function isNil({ firstByte }: CborReader): boolean {
  return firstByte === cborNull || firstByte === cborUndefined;
}

/**
 * CBOR to the JSON shape of a type. The bytes are well-formed (see {@link checkWellFormed}). Duplicate keys are
 * refused, even when the decoder is not strict.
 * @throws CborError in the words of the reference's decoder
 */
export function decodeCbor(schema: StructSchema, bytes: Buffer): DecodedCbor {
  const typed = new TypedReader(new CborReader(bytes));
  try {
    const object = typed.value(schema, false);
    const unknownField =
      typed.unknown === undefined ? undefined : `cbor: found unknown field at map element index ${typed.unknown}`;
    return { object: (object ?? {}) as JsonObject, unknownField };
  } catch (error) {
    if (error instanceof CborTypeError && typed.rootField !== '')
      throw error.in(`${goTypeOfSchema(schema)}.${typed.rootField}`);
    throw error;
  }
}
