import { getKey, isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { deepEqual } from '#shared/apimachinery/schema/deep-equal.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { CelObject } from '#shared/cel/values/cel-type.ts';
import { dynType, type CelType } from '#shared/cel/values/cel-type.ts';
import { countWork } from '#shared/cel/values/work-limit.ts';
import type { Raw } from './raw.ts';

/**
 * A value that the schema preserves without a type. Expressions cannot select it; it only matters when objects are
 * compared.
 */
export class UnknownJson extends CelObject {
  readonly raw: Raw;

  constructor(raw: Raw) {
    super();
    this.raw = raw;
  }

  get type(): CelType {
    return dynType;
  }

  override *equalsInSteps(other: unknown): Steps<boolean> {
    return other instanceof UnknownJson && (yield* equalJson(this.raw, other.raw));
  }
}

/** Equality of JSON without a schema. */
export function* equalJson(a: Raw, b: Raw): Steps<boolean> {
  if (a === b) return true;
  return !(a instanceof CelObject) && !(b instanceof CelObject) && (yield* equalValues(a as JsonValue, b as JsonValue));
}

function* equalValues(a: JsonValue, b: JsonValue | undefined): Steps<boolean> {
  if (countWork()) yield;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (const [index, item] of a.entries()) if (!(yield* equalValues(item, b[index]))) return false;
    return true;
  }
  if (!isObject(a) || !isObject(b)) return deepEqual(a, b);
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys)
    if (!Object.hasOwn(b, key) || !(yield* equalValues(getKey(a, key) as JsonValue, b[key]))) return false;
  return true;
}
