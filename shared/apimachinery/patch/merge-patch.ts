import { shallowCopyInSteps } from '#shared/apimachinery/json/clone.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { getKey, isObject, setKey } from '#shared/apimachinery/json/json.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { PatchError } from './patch-error.ts';

/**
 * Applies a JSON merge patch (RFC 7386, as in evanphx/json-patch v4). The document is not changed, and shares untouched
 * parts with the result.
 * @throws PatchError when the patch is neither an object nor an array
 */
export function* applyMergePatch(document: JsonObject, patch: JsonValue): Steps<JsonValue> {
  if (Array.isArray(patch)) return yield* pruneNulls(patch);
  if (!isObject(patch)) throw new PatchError('badRequest', 'Invalid JSON Patch');
  return yield* mergeObjects(document, patch);
}

function* mergeObjects(document: JsonObject, patch: JsonObject): Steps<JsonObject> {
  const result = yield* shallowCopyInSteps(document);
  for (const key of Object.keys(patch)) {
    const value = patch[key] ?? null;
    if (value === null) delete result[key];
    else setKey(result, key, typeof value === 'object' ? yield* mergeValue(getKey(result, key), value) : value);
    if (sliceIsOver()) yield;
  }
  return result;
}

function* mergeValue(current: JsonValue | undefined, patch: JsonObject | JsonValue[]): Steps<JsonValue> {
  if (!isObject(current)) return yield* pruneNulls(patch);
  // A list that replaces an object keeps its nulls, even nested ones.
  return isObject(patch) ? yield* mergeObjects(current, patch) : patch;
}

/** Drops null members of new objects, in lists too; null items of lists stay. */
function* pruneNulls(value: JsonObject | JsonValue[]): Steps<JsonValue> {
  if (Array.isArray(value)) {
    const list: JsonValue[] = [];
    for (const item of value) {
      list.push(typeof item === 'object' && item !== null ? yield* pruneNulls(item) : item);
      if (sliceIsOver()) yield;
    }
    return list;
  }
  const result: JsonObject = {};
  for (const key of Object.keys(value)) {
    const item = value[key] ?? null;
    if (item !== null) setKey(result, key, typeof item === 'object' ? yield* pruneNulls(item) : item);
    if (sliceIsOver()) yield;
  }
  return result;
}
