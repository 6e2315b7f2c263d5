import { getKey, isObject, type JsonValue } from '../../apimachinery/json.ts';
import { quoteJson, sortedKeys } from '../../serializer/json/go-text.ts';
import { rawText } from '../../serializer/json/loose.ts';

/**
 * A document after a JSON patch as the reference's patch library (gopkg.in/evanphx/json-patch.v4) prints it: keys are sorted at
 * the levels that the patch entered, everything else stands as it was printed before. Shown in errors only.
 */
export function patchedText(value: JsonValue, entered: ReadonlySet<JsonValue>): string {
  if (!entered.has(value)) return rawText(value);
  return Array.isArray(value) ? `[${value.map((item) => patchedText(item, entered)).join(',')}]` : objectText(value, (member) => patchedText(member, entered));
}

/** As {@link patchedText} after a merge patch of `before`: what takes the place of an object stands as the patch has it. */
export function mergedText(value: JsonValue, patch: JsonValue, before: JsonValue | undefined): string {
  // Lists in place of anything else are read whole.
  if (Array.isArray(patch)) return isObject(before) ? rawText(value) : sortedText(value);
  if (!isObject(patch)) return rawText(value);
  return objectText(value, (member, key) => mergedText(member, Object.hasOwn(patch, key) ? patch[key] ?? null : null, isObject(before) ? getKey(before, key) : undefined));
}

function sortedText(value: JsonValue): string {
  return Array.isArray(value) ? `[${value.map(sortedText).join(',')}]` : objectText(value, sortedText);
}

function objectText(value: JsonValue, memberText: (member: JsonValue, key: string) => string): string {
  if (!isObject(value)) return rawText(value);
  return `{${sortedKeys(value).map((key) => `${quoteJson(key)}:${memberText(getKey(value, key) as JsonValue, key)}`).join(',')}}`;
}
