import type { JsonValue } from '../json.ts';
import { getKey, isObject, setKey } from '../json.ts';
import { sliceIsOver, type Steps } from '../slices.ts';

export const DIRECTIVE = '$patch';

/**
 * A value without the parts that carry a directive, and without the nulls of objects if those are dropped; undefined
 * for an object that carries one itself. Objects are cleaned in place.
 */
export function* cleanedInSteps(value: JsonValue, dropsNulls: boolean): Steps<JsonValue | undefined> {
  if (Array.isArray(value)) return yield* cleanedItems(value, dropsNulls);
  if (!isObject(value)) return value;
  const directive = getKey(value, DIRECTIVE);
  if (directive !== undefined && !(directive === null && dropsNulls)) return undefined;
  for (const key of Object.keys(value)) {
    const item = value[key] ?? null;
    if (item === null && dropsNulls) delete value[key];
    else if (typeof item === 'object') {
      const cleaned = yield* cleanedInSteps(item, dropsNulls);
      if (cleaned === undefined) delete value[key];
      else if (cleaned !== item) setKey(value, key, cleaned);
    }
    if (sliceIsOver()) yield;
  }
  return value;
}

export function* cleanedItems(list: readonly JsonValue[], dropsNulls: boolean): Steps<JsonValue[]> {
  const kept: JsonValue[] = [];
  for (const item of list) {
    const cleaned = typeof item === 'object' ? yield* cleanedInSteps(item, dropsNulls) : item;
    if (cleaned !== undefined) kept.push(cleaned);
    if (sliceIsOver()) yield;
  }
  return kept;
}
