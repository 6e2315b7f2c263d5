import { shallowCopy } from '../clone.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import { getKey, isObject, setKey } from '../json.ts';
import { PatchError } from './patch-error.ts';

/**
 * Applies a JSON merge patch (RFC 7386 as evanphx/json-patch v4 has it). The document is not changed; what the patch
 * does not touch is shared with the result.
 * @throws PatchError when the patch is neither an object nor an array
 */
export function applyMergePatch(document: JsonObject, patch: JsonValue): JsonValue {
  if (Array.isArray(patch)) return pruneNulls(patch);
  if (!isObject(patch)) throw new PatchError('badRequest', 'Invalid JSON Patch');
  return mergeObjects(document, patch);
}

function mergeObjects(document: JsonObject, patch: JsonObject): JsonObject {
  const result = shallowCopy(document);
  for (const key of Object.keys(patch)) {
    const value = patch[key] ?? null;
    if (value === null) delete result[key];
    else setKey(result, key, mergeValue(getKey(result, key), value));
  }
  return result;
}

function mergeValue(current: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isObject(current)) return pruneNulls(patch);
  // A list that replaces an object keeps its nulls, even nested ones.
  return isObject(patch) ? mergeObjects(current, patch) : patch;
}

/** Drops null members of new objects, in lists too; null items of lists stay. */
function pruneNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item) => pruneNulls(item));
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const key of Object.keys(value)) {
    const item = value[key] ?? null;
    if (item !== null) setKey(result, key, pruneNulls(item));
  }
  return result;
}
