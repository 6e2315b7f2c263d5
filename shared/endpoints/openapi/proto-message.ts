import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { int64VarintBytes, tagBytes, varintBytes } from '#shared/protobuf/varint.ts';
import { encodeYamlNodes } from '#shared/serializer/yaml/emit-nodes.ts';

/** Encodes a JSON value as the content of a message. */
export type Encode = (value: JsonValue) => Buffer;

/**
 * By JSON key: the field number, and the encoder of the field's message. A field without an encoder is a string, a bool
 * or a list of strings; `int` and `double` are numbers.
 */
export type DocumentMessage = Readonly<
  Record<string, readonly [number: number, encode?: Encode | 'int' | 'double']>
> & {
  readonly extensions?: never;
};

/** Members that have any value: a list is one value, not several. */
const anyValues: ReadonlySet<string> = new Set(['default', 'example']);

/**
 * A message of `openapi.v2` or `openapi.v3`, its fields by number as Go marshals them. Keys that begin with `x-` are
 * its extensions.
 */
export function message(value: JsonValue, fields: DocumentMessage, extensions: number): Buffer {
  const parts: (readonly [number: number, bytes: Buffer])[] = [];
  for (const [key, inner] of Object.entries(isObject(value) ? value : {})) {
    if (key.startsWith('x-')) parts.push([extensions, field(extensions, namedValue(key, anyValue(inner)))]);
    const [number, encode] = Object.hasOwn(fields, key) ? (fields[key] ?? []) : [];
    if (number === undefined) continue;
    for (const one of Array.isArray(inner) && !anyValues.has(key) ? inner : [inner])
      parts.push([number, encoded(number, encode, one)]);
  }
  return Buffer.concat(parts.sort(([a], [b]) => a - b).map(([, bytes]) => bytes));
}

function encoded(number: number, encode: Encode | 'int' | 'double' | undefined, value: JsonValue): Buffer {
  if (encode === 'int') return Buffer.concat([tagBytes(number, 0), int64VarintBytes(int64Of(value))]);
  if (encode === 'double') return double(number, Number(value));
  if (encode !== undefined) return field(number, encode(value));
  return typeof value === 'boolean' ? boolean(number, value) : text(number, String(value));
}

/** Extensions and enum values are YAML texts. */
export function anyValue(value: JsonValue): Buffer {
  return text(2, encodeYamlNodes(value));
}

function int64Of(value: JsonValue): number | bigint {
  return typeof value === 'bigint' ? value : Math.trunc(Number(value)) || 0;
}

export function wrapped(number: number, encode: Encode): Encode {
  return (value) => field(number, encode(value));
}

/** A map: repeated messages of name and value as field 1. */
export function named(encode: Encode): Encode {
  return (value) =>
    Buffer.concat(
      Object.entries(isObject(value) ? value : {}).map(([name, inner]) => field(1, namedValue(name, encode(inner)))),
    );
}

export function namedValue(name: string, value: Buffer): Buffer {
  return Buffer.concat([text(1, name), field(2, value)]);
}

export function text(number: number, value: string): Buffer {
  return field(number, Buffer.from(value));
}

export function boolean(number: number, value: boolean): Buffer {
  return Buffer.from([...tagBytes(number, 0), value ? 1 : 0]);
}

export function double(number: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return Buffer.concat([tagBytes(number, 1), bytes]);
}

export function field(number: number, value: Buffer): Buffer {
  return Buffer.concat([fieldHead(number, [value]), value]);
}

/** Tag and length of a length-delimited protobuf field whose value consists of these pieces. */
export function fieldHead(number: number, pieces: readonly Buffer[]): Buffer {
  return Buffer.concat([tagBytes(number, 2), varintBytes(pieces.reduce((sum, { length }) => sum + length, 0))]);
}

export function list(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}
