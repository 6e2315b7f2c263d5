import type { Steps } from '#shared/apimachinery/slices/slices.ts';

// Values, their base class and their types refer to each other, so they share this file.

/**
 * A value of CEL at run time.
 * - int: a number if it is a safe integer, else a bigint (`int` of value.ts returns this canonical form)
 * - string: UTF-16; sizes and indices count code points
 * - all other values: a {@link CelObject}, including errors. Functions return errors and never throw them.
 */
export type Value = null | boolean | number | bigint | string | Uint8Array | CelObject;

/**
 * The base class of CEL values for which JavaScript has no primitive: other kinds of numbers, times, lists, maps,
 * types, and the opaque objects of libraries. Opaque objects extend this class directly and override `equals`; without
 * an override an object equals only itself.
 */
export abstract class CelObject {
  /** The type at run time; the type of a list or map does not include the types of its entries. */
  abstract get type(): CelType;

  /**
   * Whether this value equals another value of any type; an error if the two cannot be compared. Lists and maps are
   * compared by `equals` of equality.ts.
   */
  equals(other: unknown): boolean | CelError {
    return this === other;
  }

  /** Replaces `equals` for values so large that a comparison must run in steps. */
  equalsInSteps?(other: unknown): Steps<boolean | CelError>;

  /** The identity of this value as a map key in an expression: what Go's `==` compares in cel-go. */
  get mapKey(): unknown {
    return this;
  }

  /** The value as read through an optional: JSON without its schema, because cel-go uses Go's native value there. */
  get plain(): Value {
    return this;
  }

  /**
   * How many elements or characters a function over this value may have to visit. Costs do not include this for opaque
   * objects.
   */
  get workSize(): number {
    return 0;
  }

  /** The size for cost accounting, such as a number of elements or characters; undefined for values without a size. */
  get costSize(): number | undefined {
    return undefined;
  }
}

export type Kind =
  | 'dyn'
  | 'any'
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'error'
  | 'int'
  | 'list'
  | 'map'
  | 'null'
  | 'opaque'
  | 'string'
  | 'struct'
  | 'timestamp'
  | 'type'
  | 'parameter'
  | 'uint'
  | 'unspecified';

/** A CEL type, of an expression in the checker or of a value at run time. A type is itself a CEL value. */
export class CelType extends CelObject {
  readonly kind: Kind;
  /** The name without parameters: `list`, `google.protobuf.Timestamp`, `kubernetes.Quantity`. */
  readonly name: string;
  readonly parameters: readonly CelType[];
  /** Whether null is assignable to this type (`wrapper(int)`). */
  readonly nullable: boolean;

  constructor(kind: Kind, name: string, parameters: readonly CelType[] = [], nullable = false) {
    super();
    this.kind = kind;
    this.name = name;
    this.parameters = parameters;
    this.nullable = nullable;
  }

  get type(): CelType {
    return typeType;
  }

  override get mapKey(): string {
    return `type ${this.toString()}`;
  }

  /** The text of a type as cel-go prints it in declarations and results: `map(string, wrapper(int))`, `<T>`. */
  override toString(): string {
    const name = this.nullable ? `wrapper(${this.name})` : this.name;
    if (this.kind === 'parameter') return `<${name}>`;
    return this.parameters.length === 0 ? name : `${name}(${this.parameters.join(', ')})`;
  }
}

export const anyType = new CelType('any', 'google.protobuf.Any');
export const boolType = new CelType('bool', 'bool');
export const bytesType = new CelType('bytes', 'bytes');
export const doubleType = new CelType('double', 'double');
export const durationType = new CelType('duration', 'google.protobuf.Duration');
export const dynType = new CelType('dyn', 'dyn');
export const errorType = new CelType('error', 'error');
export const intType = new CelType('int', 'int');
export const nullType = new CelType('null', 'null_type');
export const stringType = new CelType('string', 'string');
export const timestampType = new CelType('timestamp', 'google.protobuf.Timestamp');
export const typeType: CelType = new CelType('type', 'type');
export const uintType = new CelType('uint', 'uint');
/** The type of a field that its provider does not know: only dynamic values are accepted there. */
export const unspecifiedType = new CelType('unspecified', '');
export const listOfDyn = listType(dynType);
export const mapOfDyn = mapType(dynType, dynType);

export function listType(element: CelType): CelType {
  return new CelType('list', 'list', [element]);
}

export function mapType(key: CelType, value: CelType): CelType {
  return new CelType('map', 'map', [key, value]);
}

/** A type of a library: `opaqueType('kubernetes.Quantity')`. */
export function opaqueType(name: string, ...parameters: CelType[]): CelType {
  return new CelType('opaque', name, parameters);
}

export function optionalType(value: CelType): CelType {
  return opaqueType('optional_type', value);
}

/** A type parameter, such as `T` of a generic overload. */
export function typeParameter(name: string): CelType {
  return new CelType('parameter', name);
}

/** The type of a type: `type(int)`. */
export function typeOfType(of: CelType): CelType {
  return new CelType('type', 'type', [of]);
}

/** A type that also accepts null. */
export function nullableType(of: CelType): CelType {
  return new CelType(of.kind, of.name, of.parameters, true);
}

/** A type with fields. For the name of a well-known protobuf type, the CEL type that its values are converted to. */
export function objectType(name: string): CelType {
  return wellKnownTypes.get(name) ?? new CelType('struct', name);
}

const wellKnownTypes = new Map<string, CelType>([
  ['google.protobuf.BoolValue', nullableType(boolType)],
  ['google.protobuf.BytesValue', nullableType(bytesType)],
  ['google.protobuf.DoubleValue', nullableType(doubleType)],
  ['google.protobuf.FloatValue', nullableType(doubleType)],
  ['google.protobuf.Int64Value', nullableType(intType)],
  ['google.protobuf.Int32Value', nullableType(intType)],
  ['google.protobuf.UInt64Value', nullableType(uintType)],
  ['google.protobuf.UInt32Value', nullableType(uintType)],
  ['google.protobuf.StringValue', nullableType(stringType)],
  ['google.protobuf.Any', anyType],
  ['google.protobuf.Duration', durationType],
  ['google.protobuf.Timestamp', timestampType],
  ['google.protobuf.ListValue', listOfDyn],
  ['google.protobuf.NullValue', nullType],
  ['google.protobuf.Struct', mapType(stringType, dynType)],
  ['google.protobuf.Value', dynType],
]);

/** The result of a failed evaluation, with cel-go's message. Functions return errors, they do not throw them. */
export class CelError extends CelObject {
  readonly message: string;

  constructor(message: string) {
    super();
    this.message = message;
  }

  get type(): CelType {
    return errorType;
  }
}
