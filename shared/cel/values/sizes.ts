import { CelObject } from './cel-object.ts';
import type { Value } from './value.ts';

/** Texts from this length on are remembered with their sizes, so that asking again costs nothing. */
const long = 1024;
/** Total length of the remembered texts, in UTF-16 units: more than a body has. */
const mostRemembered = 4 * 1024 * 1024;
const mostTexts = 8;
/** Sizes of the last long texts, the newest at the end. */
const longTexts: { readonly text: string; readonly size: number }[] = [];
let remembered = 0;

/** How many code points a text has. */
export function textSize(text: string): number {
  if (text.length < long) return countPoints(text);
  const known = longTexts.find((one) => one.text === text);
  if (known !== undefined) return known.size;
  const size = countPoints(text);
  if (text.length <= mostRemembered) remember(text, size);
  return size;
}

function remember(text: string, size: number): void {
  remembered += text.length;
  while (longTexts.length >= mostTexts || remembered > mostRemembered)
    remembered -= longTexts.shift()?.text.length ?? remembered;
  longTexts.push({ text, size });
}

const surrogate = /[\ud800-\udfff]/;

/** Whether every character is one UTF-16 unit. V8 answers at once for texts that it stores as Latin-1. */
export function isPlain(text: string): boolean {
  return !surrogate.test(text);
}

function countPoints(text: string): number {
  let count = text.length;
  if (isPlain(text)) return count;
  for (let at = 1; at < text.length; at++) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) count--;
  }
  return count;
}

/** What cost accounting takes for the size of a value: characters, bytes, elements, entries, else 1. */
export function costSize(value: Value): number {
  if (typeof value === 'string') return textSize(value);
  if (value instanceof CelObject) return value.costSize ?? 1;
  return value instanceof Uint8Array ? value.length : 1;
}

/** The size of the smaller of two values. Of a text that is surely the longer one, no characters are counted. */
export function smallerSize(a: Value, b: Value): number {
  if (typeof a !== 'string' || typeof b !== 'string') return Math.min(costSize(a), costSize(b));
  // A character takes at most two units.
  if (a.length * 2 <= b.length) return textSize(a);
  return b.length * 2 <= a.length ? textSize(b) : Math.min(textSize(a), textSize(b));
}
