import type { Steps } from '../../apimachinery/slices.ts';
import { CelObject } from './cel-object.ts';
import {
  doubleType,
  durationType,
  errorType,
  listOfDyn,
  mapOfDyn,
  optionalType,
  dynType,
  timestampType,
  uintType,
  type CelType,
} from './cel-type.ts';
import { costSize } from './sizes.ts';

/**
 * A value of CEL at run time.
 * - int: a number while it is a safe integer, else a bigint ({@link int} makes the one form that equal ints have)
 * - string: UTF-16; sizes and indices count code points
 * - everything else that is not a primitive: a {@link CelObject}, errors included. Functions return errors, they never
 *   throw them.
 */
export type Value = null | boolean | number | bigint | string | Uint8Array | CelObject;

/** The int of 64 bits in its one form. The caller has checked the range. */
export function int(value: bigint): number | bigint {
  return value >= minSafe && value <= maxSafe ? Number(value) : value;
}

const minSafe = BigInt(Number.MIN_SAFE_INTEGER);
const maxSafe = BigInt(Number.MAX_SAFE_INTEGER);

export class CelUint extends CelObject {
  /** A number while it is a safe integer, else a bigint. */
  readonly value: number | bigint;

  constructor(value: number | bigint) {
    super();
    this.value = value;
  }

  get type(): CelType {
    return uintType;
  }

  override get mapKey(): string {
    return `uint ${this.value}`;
  }
}

export class CelDouble extends CelObject {
  readonly value: number;

  constructor(value: number) {
    super();
    this.value = value;
  }

  get type(): CelType {
    return doubleType;
  }

  /** NaN is no key that is found. */
  override get mapKey(): unknown {
    return Number.isNaN(this.value) ? Symbol('NaN') : `double ${this.value}`;
  }
}

/** A length of time in nanoseconds, within 64 bits. */
export class CelDuration extends CelObject {
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    super();
    this.nanoseconds = nanoseconds;
  }

  get type(): CelType {
    return durationType;
  }

  override get mapKey(): string {
    return `duration ${this.nanoseconds}`;
  }
}

/** A point in time: seconds since 1970 and nanoseconds (0 to 999,999,999). */
export class CelTimestamp extends CelObject {
  readonly seconds: number;
  readonly nanos: number;
  /** Seconds east of UTC of the zone that it was written in: its text has that zone again. */
  readonly offset: number;

  constructor(seconds: number, nanos: number, offset = 0) {
    super();
    this.seconds = seconds;
    this.nanos = nanos;
    this.offset = offset;
  }

  get type(): CelType {
    return timestampType;
  }

  override get mapKey(): string {
    return `timestamp ${this.seconds} ${this.nanos} ${this.offset}`;
  }
}

/** `optional.none()` has no value. */
export class CelOptional extends CelObject {
  static readonly none = new CelOptional(undefined);
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    super();
    this.value = value;
  }

  get type(): CelType {
    return optionalOfDyn;
  }

  override get costSize(): number | undefined {
    return this.value === undefined ? undefined : costSize(this.value);
  }
}

const optionalOfDyn = optionalType(dynType);

/** The result of a failed evaluation, with cel-go's message. Functions return it, they do not throw it. */
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

/** A list: of values made by an expression, or a view on something else. */
export abstract class CelList extends CelObject {
  abstract readonly size: number;

  /** The element at an index from 0 to size - 1; an error only where the element itself cannot be read. */
  abstract get(index: number): Value;

  /** Implemented by views that do not compare item by item; the other list is on the right. */
  equalsList?(other: CelList): Steps<boolean | CelError>;

  /** Implemented by views that compare items with a value by their own rules. */
  includes?(value: Value): Steps<boolean | CelError>;

  /** Implemented by views that do more than append the other list. */
  plus?(other: CelList): Value;

  get type(): CelType {
    return listOfDyn;
  }

  override get workSize(): number {
    return this.size;
  }

  override get costSize(): number {
    return this.size;
  }
}

/** A map: made by an expression, or a view on something else, such as an object of JSON with a schema. */
export abstract class CelMap extends CelObject {
  abstract readonly size: number;

  /**
   * The value of a key; undefined where the map has no such key, or none of the key's type. Ints, uints and doubles
   * that are equal are one key.
   */
  abstract find(key: Value): Value | undefined;

  /** `key in map`: with a default for keys that it has not, a map finds more than it has. */
  has(key: Value): boolean | CelError {
    const found = this.find(key);
    return found instanceof CelError ? found : found !== undefined;
  }

  /** The keys in the order in which macros visit them. */
  abstract keys(): Iterable<Value>;

  /** Implemented by views that do not compare entry by entry; the other map is on the right. */
  equalsMap?(other: CelMap): Steps<boolean | CelError>;

  get type(): CelType {
    return mapOfDyn;
  }

  override get workSize(): number {
    return this.size;
  }

  override get costSize(): number {
    return this.size;
  }
}

/** A value of a type with fields. */
export abstract class CelStruct extends CelObject {
  /** The field's value or its default; undefined where the type has no such field. */
  abstract get(field: string): Value | undefined;

  /** Whether the field is set; undefined where the type has no such field. */
  abstract has(field: string): boolean | undefined;
}
