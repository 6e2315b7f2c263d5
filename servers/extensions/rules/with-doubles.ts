import { setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { holdsFloats, isFloatIn } from '#shared/apimachinery/json/whole-floats.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { CelDouble } from '#shared/cel/values/value.ts';

/**
 * The object as rules see it: numbers that were written as floats become CEL doubles, even where they are whole. Parts
 * without such numbers are shared with the original object, not copied.
 */
export function* withDoubles<T extends JsonValue>(value: T): Steps<T> {
  return holdsFloats(value) ? ((yield* copy(value as JsonObject | JsonValue[])) as T) : value;
}

function* copy(holder: JsonObject | JsonValue[]): Steps<JsonValue> {
  const made: JsonObject | JsonValue[] = Array.isArray(holder) ? [] : {};
  for (const [key, member] of Object.entries(holder)) {
    const next =
      typeof member === 'number' && isFloatIn(holder, key) ? new CelDouble(member) : yield* withDoubles(member);
    // `ValueShape` accepts a CelDouble in place of a JSON number.
    setKey(made as JsonObject, key, next as JsonValue);
    if (sliceIsOver()) yield;
  }
  return made;
}
