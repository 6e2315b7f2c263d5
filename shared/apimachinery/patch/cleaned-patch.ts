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
  if (directive !== undefined && !(directive === null && dropsNulls)) {
    if (dropsNulls) yield* dropNulls(value);
    return undefined;
  }
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

/** Nulls go first, from what is left out as well: errors show the patch without them. */
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
    const cleaned = typeof item === 'object' ? yield* cleanedInSteps(item, dropsNulls) : item;
    if (cleaned !== undefined) kept.push(cleaned);
    if (sliceIsOver()) yield;
  }
  return kept;
}
