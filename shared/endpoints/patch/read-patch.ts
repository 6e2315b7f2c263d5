import { isObject, setKey, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { PatchError } from '#shared/apimachinery/patch/patch-error.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { findHugeNumber, hugeNumberText } from '#shared/serializer/json/huge-number.ts';
import { decodeUtf8, parseJsonText } from '#shared/serializer/json/parse.ts';
import { parseSpelled, plainNumbers } from '#shared/serializer/json/spelled-numbers.ts';
import { patchMessageOf } from './patch-refusals.ts';

export type PatchType =
  | 'application/json-patch+json'
  | 'application/merge-patch+json'
  | 'application/strategic-merge-patch+json';

/**
 * @param place name of the target in error texts
 * @param isUnread whether the reference leaves parsing to its patch library, whose errors have no details of the syntax
 *   error
 */
export function* readPatch(
  body: Uint8Array,
  prefix: string,
  place: string,
  isUnread: boolean,
): Steps<{ value: JsonValue; text: string }> {
  const text = decodeUtf8(body);
  let value: JsonValue;
  try {
    value = yield* parseJsonText(text, body);
  } catch (error) {
    throw new PatchError('badRequest', isUnread ? 'Invalid JSON Patch' : prefix + patchMessageOf(error));
  }
  const hugeNumber = findHugeNumber(text);
  if (hugeNumber !== undefined) throw new PatchError('badRequest', prefix + hugeNumberText(hugeNumber, place));
  return { value, text };
}

/** Parses a patch and keeps the spelling of numbers only in values: the members of an operation itself are typed. */
export function* spelledPatch(type: PatchType, text: string): Steps<JsonValue> {
  const patch = yield* parseSpelled(text);
  if (type === 'application/merge-patch+json' && isObject(patch)) return patch;
  if (type === 'application/merge-patch+json' || !Array.isArray(patch)) return plainNumbers(patch);
  return patch.map((operation) => {
    if (!isObject(operation)) return plainNumbers(operation);
    for (const key of Object.keys(operation))
      if (key !== 'value') setKey(operation, key, plainNumbers(operation[key] as JsonValue));
    return operation;
  });
}
