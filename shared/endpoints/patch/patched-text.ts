import { isObject, setKey, getKey, type JsonObject, type JsonValue } from '../../apimachinery/json.ts';
import { stringAt } from '../../apimachinery/object.ts';
import { quoteJson, sortedKeys } from '../../serializer/json/go-text.ts';
import { rawText } from '../../serializer/json/loose.ts';

/**
 * A patched document as the reference's patch library prints it: keys are sorted at the levels that the patch entered,
 * everything else stands as it was printed before. Shown in errors only.
 */
export function patchedText(value: JsonValue, patch: JsonValue): string {
  // Lists of a merge patch are read whole.
  if (Array.isArray(patch)) return sortedText(value);
  if (!isObject(patch)) return rawText(value);
  const entered = (key: string): JsonValue => (Object.hasOwn(patch, key) ? patch[key] ?? null : null);
  if (Array.isArray(value)) return `[${value.map((item, index) => patchedText(item, entered(String(index)))).join(',')}]`;
  if (!isObject(value)) return rawText(value);
  return `{${sortedKeys(value).map((key) => `${quoteJson(key)}:${patchedText(value[key] as JsonValue, entered(key))}`).join(',')}}`;
}

function sortedText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(sortedText).join(',')}]`;
  if (!isObject(value)) return rawText(value);
  return `{${sortedKeys(value).map((key) => `${quoteJson(key)}:${sortedText(value[key] as JsonValue)}`).join(',')}}`;
}

/** The objects that the operations of a JSON patch step through, as a merge patch would name them. */
export function enteredBy(operations: JsonValue): JsonObject {
  const root: JsonObject = {};
  if (!Array.isArray(operations)) return root;
  for (const operation of operations) {
    for (const pointer of [stringAt(operation, 'path'), stringAt(operation, 'from')]) {
      let at = root;
      for (const step of pointer.split('/').slice(1, -1)) at = enter(at, step.replaceAll('~1', '/').replaceAll('~0', '~'));
    }
  }
  return root;
}

function enter(at: JsonObject, key: string): JsonObject {
  const present = getKey(at, key);
  if (isObject(present)) return present;
  const made: JsonObject = {};
  setKey(at, key, made);
  return made;
}
