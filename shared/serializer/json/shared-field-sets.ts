import { LRUCache } from 'lru-cache';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';

/**
 * Enough for the sets that objects of a kind have in common, which each write touches. Those of one object alone, such
 * as of a pod's addresses, pass through.
 */
const keptSets = 300;
/** A longer field set is not shared. */
export const longestSharedSet = 4096;

/** Field sets of managers by their text: objects that the same manager made mostly have the same. */
const known = new LRUCache<string, JsonObject>({ max: keptSets });

/**
 * The field set in these bytes. Equal ones are the same object, frozen with all that is in it, so that each text is
 * parsed, read as a set and printed once, and not for each object and each write.
 *
 * @param text one character for each byte: different bytes have different texts
 * @param parse called for a text that is not known; its result is shared if it is an object
 */
export function sharedFieldSet(text: string, parse: () => JsonValue): JsonValue {
  if (text.length > longestSharedSet) return parse();
  const shared = known.get(text);
  if (shared !== undefined) return shared;
  const value = parse();
  if (isObject(value)) {
    freeze(value);
    known.set(text, value);
  }
  return value;
}

function freeze(value: JsonValue): void {
  if (typeof value !== 'object' || value === null) return;
  for (const member of Object.values(value)) freeze(member);
  Object.freeze(value);
}
