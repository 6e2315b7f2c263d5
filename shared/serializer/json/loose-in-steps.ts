import { getKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { isSliced, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { quoteJson, sortedKeysInSteps } from './go-text.ts';
import { keepText, keptText, looseText, rawText } from './loose.ts';
import { isLongText, quoteJsonInSteps } from './quoted-pieces.ts';

/** How objects and lists are printed; `text` prints all other values. */
interface Style {
  readonly text: (value: JsonValue) => string;
  readonly sorted: boolean;
}

const loose: Style = { text: looseText, sorted: true };
const raw: Style = { text: rawText, sorted: false };

/** The text that `looseText` makes, for large values. */
export function* looseTextInSteps(value: JsonValue): Steps<string> {
  return typeof value !== 'object' || value === null || !isSliced()
    ? looseText(value)
    : yield* textInSteps(value, loose);
}

/** The text that `rawText` makes, for large values. */
export function* rawTextInSteps(value: JsonValue): Steps<string> {
  if (typeof value !== 'object' || value === null || !isSliced()) return rawText(value);
  if (!Object.isFrozen(value)) return yield* textInSteps(value, raw);
  return keptText(value) ?? keepText(value, yield* textInSteps(value, raw));
}

function* textInSteps(value: JsonObject | JsonValue[], style: Style): Steps<string> {
  const parts = new TextParts();
  yield* append(value, parts, style);
  yield;
  return parts.text();
}

/** Joins parts block by block: joining millions of parts at once takes long. */
class TextParts {
  readonly #blocks: string[] = [];
  #parts: string[] = [];

  push(...parts: readonly string[]): void {
    this.#parts.push(...parts);
    if (this.#parts.length < blockParts) return;
    this.#blocks.push(this.#parts.join(''));
    this.#parts = [];
  }

  text(): string {
    return this.#blocks.join('') + this.#parts.join('');
  }
}

const blockParts = 4096;

/**
 * Appends the text of a value to one list of parts: joining at each level would copy deeply nested text again and
 * again.
 */
function* append(value: JsonObject | JsonValue[], parts: TextParts, style: Style): Steps<void> {
  if (Array.isArray(value)) {
    parts.push('[');
    for (let i = 0; i < value.length; i++) {
      const item = value[i] as JsonValue;
      if (i > 0) parts.push(',');
      if (typeof item === 'object' && item !== null) yield* append(item, parts, style);
      else parts.push(isLongText(item) ? yield* quoteJsonInSteps(item) : style.text(item));
      if (sliceIsOver()) yield;
    }
    parts.push(']');
    return;
  }
  let before = '{';
  for (const key of style.sorted ? yield* sortedKeysInSteps(value) : Object.keys(value)) {
    const member = getKey(value, key);
    if (member === undefined) continue;
    parts.push(before, quoteJson(key), ':');
    before = ',';
    if (typeof member === 'object' && member !== null) yield* append(member, parts, style);
    else parts.push(isLongText(member) ? yield* quoteJsonInSteps(member) : style.text(member));
    if (sliceIsOver()) yield;
  }
  parts.push(before === '{' ? '{}' : '}');
}
