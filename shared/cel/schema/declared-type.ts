import { escapeName, unescapeName } from './names.ts';
import { resourceProperties, type PropertyLookUp, type TypedSchema } from './typed-schema.ts';

/** Bytes of the largest request, the bound of values without a limit of their own (k8s.io/apiserver/pkg/apis/cel). */
const maxRequestBytes = 3 * 1024 * 1024;
const maxTextBytes = maxRequestBytes - 2;
const longestTime = 32;
const dateBytes = 12;

/**
 * The CEL type of a schema, with the bounds that cost estimates need (k8s.io/apiserver/pkg/cel, types.go, and
 * pkg/cel/common, schemas.go). Fields are read lazily, as rules use few of the fields of a schema.
 */
export interface DeclaredType {
  readonly kind:
    | 'bool'
    | 'bytes'
    | 'double'
    | 'duration'
    | 'dyn'
    | 'int'
    | 'list'
    | 'map'
    | 'object'
    | 'string'
    | 'timestamp';
  /** Bytes of the smallest JSON text of a value. */
  readonly minBytes: number;
  /** The most items of a list, entries of a map or bytes of a text; 0 for types without a size. */
  readonly maxElements: number;
  /** The type of an object's field by its escaped name; undefined if it has no such field. */
  field?(escaped: string): DeclaredType | undefined;
  readonly key?: DeclaredType;
  /** The type of the items of a list or the values of a map. */
  readonly element?: DeclaredType;
}

const bool: DeclaredType = { kind: 'bool', minBytes: 4, maxElements: 0 };
const int: DeclaredType = { kind: 'int', minBytes: 1, maxElements: 0 };
const double: DeclaredType = { kind: 'double', minBytes: 1, maxElements: 0 };
const duration: DeclaredType = { kind: 'duration', minBytes: 3, maxElements: longestTime };
const date: DeclaredType = { kind: 'timestamp', minBytes: dateBytes, maxElements: dateBytes };
const dateTime: DeclaredType = { kind: 'timestamp', minBytes: 21, maxElements: longestTime };
const keyText: DeclaredType = { kind: 'string', minBytes: 2, maxElements: 0 };

/** The CEL type of a schema, or undefined if expressions cannot use its values. */
export function declaredTypeOf(schema: TypedSchema, isResource = schema.embedded): DeclaredType | undefined {
  if (schema.intOrString) return { kind: 'dyn', minBytes: 1, maxElements: maxLengthOf(schema) ?? maxTextBytes };
  switch (schema.type) {
    case 'array': {
      const element = schema.items === undefined ? undefined : declaredTypeOf(schema.items);
      // The last argument is the one byte of the comma after each item.
      return element === undefined ? undefined : new Collection('list', element, limitOf(schema, 'maxItems'), 1);
    }
    case 'object': {
      if (schema.additional === undefined) return new DeclaredObject(schema, isResource);
      const element = declaredTypeOf(schema.additional);
      // The last argument is the six bytes of an entry besides its value: an empty key, colon, comma and spaces.
      return element === undefined ? undefined : new Collection('map', element, limitOf(schema, 'maxProperties'), 6);
    }
    case 'string':
      return textOf(schema);
    case 'boolean':
      return bool;
    case 'number':
      return double;
    case 'integer':
      return int;
    default:
      return undefined;
  }
}

class Collection implements DeclaredType {
  readonly kind: 'list' | 'map';
  readonly minBytes = 2;
  readonly element: DeclaredType;
  readonly key?: DeclaredType;
  readonly #limit: number | undefined;
  readonly #bytesBeside: number;

  constructor(kind: 'list' | 'map', element: DeclaredType, limit: number | undefined, bytesBeside: number) {
    this.kind = kind;
    this.element = element;
    if (kind === 'map') this.key = keyText;
    this.#limit = limit;
    this.#bytesBeside = bytesBeside;
  }

  get maxElements(): number {
    return this.#limit ?? Math.floor(maxTextBytes / (this.element.minBytes + this.#bytesBeside));
  }
}

class DeclaredObject implements DeclaredType {
  readonly kind = 'object';
  readonly maxElements = 0;
  readonly #schema: TypedSchema;
  readonly #isResource: boolean;
  #properties: PropertyLookUp | undefined;
  readonly #fields = new Map<string, DeclaredType>();
  #minBytes: number | undefined;

  constructor(schema: TypedSchema, isResource: boolean) {
    this.#schema = schema;
    this.#isResource = isResource;
  }

  field(escaped: string): DeclaredType | undefined {
    const known = this.#fields.get(escaped);
    if (known !== undefined) return known;
    const name = unescapeName(escaped);
    const property = name === undefined || escapeName(name) !== escaped ? undefined : this.#property(name);
    const type = property === undefined ? undefined : declaredTypeOf(property);
    if (type !== undefined) this.#fields.set(escaped, type);
    return type;
  }

  get minBytes(): number {
    return (this.#minBytes ??= this.#measure());
  }

  /** The smallest JSON text: the braces and the required fields without a default. */
  #measure(): number {
    let bytes = 2;
    for (const name of new Set(this.#schema.required)) {
      const property = this.#property(name);
      if (property === undefined || property.default !== undefined) continue;
      const type = this.field(escapeName(name) ?? '') ?? declaredTypeOf(property);
      if (type !== undefined) bytes += Buffer.byteLength(name) + type.minBytes + 4;
    }
    return bytes;
  }

  #property(name: string): TypedSchema | undefined {
    const properties = (this.#properties ??= this.#isResource
      ? resourceProperties(this.#schema)
      : this.#schema.properties);
    return properties.get(name);
  }
}

function textOf(schema: TypedSchema): DeclaredType {
  switch (schema.declaredFormat) {
    case 'byte':
      return { kind: 'bytes', minBytes: 2, maxElements: limitOf(schema, 'maxLength') ?? maxTextBytes };
    case 'duration':
      return duration;
    case 'date':
      return date;
    case 'date-time':
      return dateTime;
    default:
      return { kind: 'string', minBytes: 2, maxElements: maxLengthOf(schema) ?? longestOf(schema.enum) };
  }
}

/** The length of the longest text of an enum; without an enum the largest text that fits into a request. */
function longestOf(allowed: TypedSchema['enum']): number {
  return allowed.length === 0
    ? maxTextBytes
    : allowed.reduce(
        (max: number, value) => (typeof value === 'string' ? Math.max(max, Buffer.byteLength(value)) : max),
        0,
      );
}

/** `maxLength` in bytes: a character may take four bytes. */
function maxLengthOf(schema: TypedSchema): number | undefined {
  const limit = limitOf(schema, 'maxLength');
  return limit === undefined ? undefined : limit * 4;
}

function limitOf(schema: TypedSchema, key: 'maxItems' | 'maxLength' | 'maxProperties'): number | undefined {
  const limit = schema.number(key);
  return limit === undefined ? undefined : Math.max(0, limit);
}

/** How many values of this type, each with a comma, fit into a request. */
export function maxOccurrences({ minBytes }: DeclaredType): number {
  return Math.floor(maxRequestBytes / (minBytes + 1));
}

/**
 * The size bound of the value at a path (`self`, then fields, `@items`, `@keys`, `@values`); undefined if the path is
 * invalid.
 */
export function maxElementsAt(root: DeclaredType, path: readonly string[]): number | undefined {
  let type: DeclaredType | undefined = root;
  for (const step of path.slice(1)) {
    if (step === '@items' || step === '@values') type = type.element;
    else if (step === '@keys') type = type.key;
    else type = type.field?.(step);
    if (type === undefined) return undefined;
  }
  return type.maxElements;
}
