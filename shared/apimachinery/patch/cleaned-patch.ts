import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { getKey, isObject, setKey } from '#shared/apimachinery/json/json.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';

export const DIRECTIVE = '$patch';

/**
 * A value without the objects in it that have a directive, and without the null members of objects if `dropsNulls`;
 * undefined for an object that has a directive itself. Objects are cleaned in place.
 */
export function* cleanedValue(value: JsonValue, dropsNulls: boolean): Steps<JsonValue | undefined> {
  if (Array.isArray(value)) return yield* cleanedItems(value, dropsNulls);
  if (!isObject(value)) return value;
  const directive = getKey(value, DIRECTIVE);
  if (directive !== undefined && !(directive === null && dropsNulls)) {
    if (dropsNulls) yield* dropNulls(value);
    return undefined;
  }
  for (const key of Object.keys(value)) {
    const item = value[key] ?? null;
    if (item === null && dropsNulls) delete value[key];
    else if (typeof item === 'object') {
      const cleaned = yield* cleanedValue(item, dropsNulls);
      if (cleaned === undefined) delete value[key];
      else if (cleaned !== item) setKey(value, key, cleaned);
    }
    if (sliceIsOver()) yield;
  }
  return value;
}

/** Removes the nulls of an object that is left out, too: errors show the patch without nulls. */
function* dropNulls(value: JsonValue): Steps<void> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (item === null && !Array.isArray(value)) delete value[key];
    else yield* dropNulls(item);
    if (sliceIsOver()) yield;
  }
}

export function* cleanedItems(list: readonly JsonValue[], dropsNulls: boolean): Steps<JsonValue[]> {
  const kept: JsonValue[] = [];
  for (const item of list) {
    const cleaned = typeof item === 'object' ? yield* cleanedValue(item, dropsNulls) : item;
    if (cleaned !== undefined) kept.push(cleaned);
    if (sliceIsOver()) yield;
  }
  return kept;
}
