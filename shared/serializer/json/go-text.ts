import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { sortInSteps } from '#shared/apimachinery/slices/sort-in-steps.ts';
import { compareUtf8, quoteFaulty } from '#shared/apimachinery/text/go-format.ts';

/** Characters whose JSON form in Go is not the character itself (HTML escapes, U+2028/9, surrogates). */
// oxlint-disable-next-line no-control-regex
const needsEscape = /["\\<>&\u0000-\u001f\u2028\u2029\ud800-\udfff]/;
const htmlEscapes = /[<>&\u2028\u2029]/;
const htmlEscapesAll = /[<>&\u2028\u2029]/g;
const surrogate = /[\ud800-\udfff]/;

function escapeHtml(character: string): string {
  switch (character) {
    case '<':
      return '\\u003c';
    case '>':
      return '\\u003e';
    case '&':
      return '\\u0026';
    case '\u2028':
      return '\\u2028';
    default:
      return '\\u2029';
  }
}

/** Whether a text needs no escapes in JSON. */
export function isPlainText(text: string): boolean {
  return !needsEscape.test(text);
}

/** A JSON string literal as Go's encoding/json prints it, with an escaped U+FFFD for each faulty byte. */
export function quoteJson(text: string): string {
  if (!needsEscape.test(text)) return '"' + text + '"';
  const literal = text.isWellFormed() ? JSON.stringify(text) : quoteFaulty(text);
  return htmlEscapes.test(literal) ? literal.replace(htmlEscapesAll, escapeHtml) : literal;
}

/** A float64 as Go's encoding/json prints it; JavaScript's form differs only for -0 (and has no NaN in JSON either). */
export function formatFloat(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** The shortest text that gives the same float32, as Go prints one. */
export function formatFloat32(value: number): string {
  const single = Math.fround(value);
  for (let digits = 1; digits <= 9; digits++) {
    const text = single.toPrecision(digits);
    if (Math.fround(Number(text)) === single) return formatFloat(Number(text));
  }
  return formatFloat(single);
}

/** Own keys in the order of their UTF-8 bytes, which is how Go sorts map keys. */
export function sortedKeys(object: JsonObject): string[] {
  const keys = Object.keys(object);
  for (let i = 1; i < keys.length; i++) {
    if ((keys[i - 1] as string) >= (keys[i] as string)) {
      keys.sort();
      break;
    }
  }
  // UTF-16 order equals UTF-8 order unless a key has a character outside the basic plane.
  return keys.some((key) => surrogate.test(key)) ? keys.sort(compareUtf8) : keys;
}

/** As {@link sortedKeys}, for large objects. */
export function* sortedKeysInSteps(object: JsonObject): Steps<string[]> {
  const keys = Object.keys(object);
  for (let i = 1; i < keys.length; i++) {
    if (compareUtf8(keys[i - 1] as string, keys[i] as string) > 0) return yield* sortInSteps(keys, compareUtf8);
    if (sliceIsOver()) yield;
  }
  return keys;
}
