import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import {
  CelError,
  CelObject,
  type Value,
  doubleType,
  durationType,
  listOfDyn,
  mapOfDyn,
  optionalType,
  dynType,
  timestampType,
  uintType,
  type CelType,
} from './cel-type.ts';
import { costSize } from './sizes.ts';

export { CelError, type Value } from './cel-type.ts';

/** The canonical form of a 64-bit int. The caller has checked the range. */
export function int(value: bigint): number | bigint {
  return value >= minSafe && value <= maxSafe ? Number(value) : value;
}

const minSafe = BigInt(Number.MIN_SAFE_INTEGER);
const maxSafe = BigInt(Number.MAX_SAFE_INTEGER);

export class CelUint extends CelObject {
  /** A number if it is a safe integer, else a bigint. */
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

  /** A key NaN is never found, so each NaN has a new identity. */
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
  /** The UTC offset, in seconds to the east, of the zone in the original text; the printed text has the same zone. */
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

/** An optional value; `value` is undefined for `optional.none()`. */
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

/** A list: values that an expression made, or a view of other data. */
export abstract class CelList extends CelObject {
  abstract readonly size: number;

  /** The element at an index from 0 to size - 1; an error only if the element itself cannot be read. */
  abstract get(index: number): Value;

  /** `this == other`. Implemented by views that do not compare item by item. */
  equalsList?(other: CelList): Steps<boolean | CelError>;

  /** Whether the list contains a value. Implemented by views that compare items by their own rules. */
  includes?(value: Value): Steps<boolean | CelError>;

  /** `this + other`. Implemented by views that do more than append the other list. */
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

/** A map: made by an expression, or a view of other data, such as a JSON object with a schema. */
export abstract class CelMap extends CelObject {
  abstract readonly size: number;

  /**
   * The value of a key; undefined if the map has no such key, or no keys of that type. Equal ints, uints and doubles
   * are the same key.
   */
  abstract find(key: Value): Value | undefined;

  /** `key in map`. A map whose `find` returns a default for missing keys must override this. */
  has(key: Value): boolean | CelError {
    const found = this.find(key);
    return found instanceof CelError ? found : found !== undefined;
  }

  /** The keys in the order in which macros visit them. */
  abstract keys(): Iterable<Value>;

  /** `this == other`. Implemented by views that do not compare entry by entry. */
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
  /** The field's value or its default; undefined if the type has no such field. */
  abstract get(field: string): Value | undefined;

  /** Whether the field is set; undefined if the type has no such field. */
  abstract has(field: string): boolean | undefined;
}
