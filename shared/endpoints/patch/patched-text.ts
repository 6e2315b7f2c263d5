import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { quoteJson, sortedKeysInSteps } from '#shared/serializer/json/go-text.ts';
import { rawText } from '#shared/serializer/json/loose.ts';

/**
 * A document after a JSON patch as the reference's patch library (gopkg.in/evanphx/json-patch.v4) prints it: keys are
 * sorted at the levels that the patch entered, and everything else is as it was printed before. Shown in errors only.
 */
export function* patchedText(value: JsonValue, entered: ReadonlySet<JsonValue>): Steps<string> {
  const text = new PieceText();
  yield* appendPatched(text, value, entered);
  return text.whole();
}

/**
 * As {@link patchedText} after a merge patch of `before`: a value that replaces an object keeps the key order of the
 * patch.
 */
export function* mergedText(value: JsonValue, patch: JsonValue, before: JsonValue | undefined): Steps<string> {
  const text = new PieceText();
  yield* appendMerged(text, value, patch, before);
  return text.whole();
}

/** One list of pieces for all levels: joining at each level would copy deeply nested text again and again. */
class PieceText {
  readonly #pieces: string[] = [];

  add(piece: string): void {
    this.#pieces.push(piece);
  }

  whole(): string {
    return this.#pieces.join('');
  }
}

function* appendPatched(text: PieceText, value: JsonValue, entered: ReadonlySet<JsonValue>): Steps<void> {
  if (!entered.has(value)) yield* appendPlain(text, value, false);
  else if (Array.isArray(value)) yield* appendList(text, value, (item) => appendPatched(text, item, entered));
  else if (isObject(value)) yield* appendObject(text, value, true, (member) => appendPatched(text, member, entered));
}

function* appendMerged(
  text: PieceText,
  value: JsonValue,
  patch: JsonValue,
  before: JsonValue | undefined,
): Steps<void> {
  // The reference decodes a list that replaces a value other than an object, so the keys in it are sorted.
  if (!isObject(patch) || !isObject(value)) yield* appendPlain(text, value, Array.isArray(patch) && !isObject(before));
  else
    yield* appendObject(text, value, true, (member, key) =>
      appendMerged(text, member, getKey(patch, key) ?? null, isObject(before) ? getKey(before, key) : undefined),
    );
}

function* appendPlain(text: PieceText, value: JsonValue, isSorted: boolean): Steps<void> {
  if (Array.isArray(value)) yield* appendList(text, value, (item) => appendPlain(text, item, isSorted));
  else if (isObject(value)) yield* appendObject(text, value, isSorted, (member) => appendPlain(text, member, isSorted));
  else text.add(rawText(value));
}

function* appendList(
  text: PieceText,
  list: readonly JsonValue[],
  append: (item: JsonValue) => Steps<void>,
): Steps<void> {
  let before = '[';
  for (const item of list) {
    text.add(before);
    before = ',';
    if (typeof item === 'object') yield* append(item);
    else text.add(rawText(item));
    if (sliceIsOver()) yield;
  }
  text.add(before === '[' ? '[]' : ']');
}

function* appendObject(
  text: PieceText,
  object: JsonObject,
  isSorted: boolean,
  append: (member: JsonValue, key: string) => Steps<void>,
): Steps<void> {
  let before = '{';
  for (const key of isSorted ? yield* sortedKeysInSteps(object) : Object.keys(object)) {
    text.add(`${before}${quoteJson(key)}:`);
    before = ',';
    yield* append(getKey(object, key) as JsonValue, key);
    if (sliceIsOver()) yield;
  }
  text.add(before === '{' ? '{}' : '}');
}
