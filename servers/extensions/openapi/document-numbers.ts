import { setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import type { Dialect } from '#shared/endpoints/openapi/model-schema.ts';

/** The members of a schema that are an int64 in both dialects; all other numbers are of a type without integers. */
export const int64Keys: ReadonlySet<string> = new Set([
  'maxLength',
  'minLength',
  'maxItems',
  'minItems',
  'maxProperties',
  'minProperties',
]);

/**
 * A value with its large integers as a document shows them. Enums, defaults and examples of v3 are the user's JSON, in
 * which an int64 is exact; those of v2 were float64 before (k8s.io/kube-openapi, pkg/validation/spec).
 */
export function* numbersIn(value: JsonValue, dialect: Dialect, isInt64: boolean): Steps<JsonValue> {
  if (sliceIsOver()) yield;
  if (typeof value === 'bigint') {
    const isExact = isInt64 || (dialect === 'v3' && BigInt.asIntN(64, value) === value);
    return isExact ? value : Number(value);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: JsonValue[] = [];
    for (const item of value) items.push(yield* numbersIn(item, dialect, isInt64));
    return items;
  }
  const made: JsonObject = {};
  for (const [key, member] of Object.entries(value)) setKey(made, key, yield* numbersIn(member, dialect, isInt64));
  return made;
}
