import type { Buffer } from 'node:buffer';
import { LRUCache } from 'lru-cache';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';

const keptSets = 1000;
const longestKept = 4096;

/** Field sets of managers by their text: objects that the same manager made mostly have the same. */
const known = new LRUCache<string, JsonObject>({ max: keptSets });
let isSharing = false;

/**
 * Runs work whose decoded objects are printed and then dropped. They share field sets, which are frozen: each text is
 * then parsed and printed once, and not for each of a hundred thousand objects.
 */
export function sharingFieldSets<T>(work: () => T): T {
  const before = isSharing;
  isSharing = true;
  try {
    return work();
  } finally {
    isSharing = before;
  }
}

/** The field set in these bytes, parsed by `parse` unless the current work may share one that is known. */
export function fieldSetOf(bytes: Buffer, parse: (bytes: Buffer) => JsonValue): JsonValue {
  if (!isSharing || bytes.length > longestKept) return parse(bytes);
  // One character for each byte: different bytes have different texts.
  const text = bytes.toString('latin1');
  const shared = known.get(text);
  if (shared !== undefined) return shared;
  const value = parse(bytes);
  if (isObject(value)) known.set(text, Object.freeze(value));
  return value;
}
