import { deepEqual } from '../../apimachinery/deep-equal.ts';
import type { JsonValue } from '../../apimachinery/json.ts';
import { CelObject } from '../types/cel-object.ts';
import { dynType, type CelType } from '../types/cel-type.ts';
import type { Raw } from './value-shape.ts';

/** What a schema keeps without knowing it: expressions cannot name it, it only takes part when objects are compared. */
export class UnknownJson extends CelObject {
  readonly raw: Raw;

  constructor(raw: Raw) {
    super();
    this.raw = raw;
  }

  get type(): CelType {
    return dynType;
  }

  override equals(other: unknown): boolean {
    return other instanceof UnknownJson ? equalJson(this.raw, other.raw) : false;
  }
}

/** Equality of JSON without a schema. */
export function equalJson(a: Raw, b: Raw): boolean {
  return a === b || (!(a instanceof CelObject) && !(b instanceof CelObject) && deepEqual(a as JsonValue, b as JsonValue));
}
