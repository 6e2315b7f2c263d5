import { isObject, type JsonValue } from '../../apimachinery/json.ts';
import { quoteJson, sortedKeys } from '../../serializer/json/go-text.ts';
import { rawText } from '../../serializer/json/loose.ts';

/**
 * A patched document as the reference's patch library prints it: keys are sorted at the levels that the patch entered,
 * everything else stands as it was printed before. Shown in errors only.
 */
export function patchedText(value: JsonValue, patch: JsonValue): string {
  if (!isObject(value) || !isObject(patch)) return rawText(value);
  const members = sortedKeys(value).map((key) => {
    const inner = Object.hasOwn(patch, key) ? patch[key] : undefined;
    return `${quoteJson(key)}:${patchedText(value[key] as JsonValue, inner ?? null)}`;
  });
  return `{${members.join(',')}}`;
}
