import { CelObject, type Value } from './cel-type.ts';

/** The sizes of texts from this length on are cached. */
const long = 1024;
/** The most UTF-16 units of all cached texts together, which is more than a request body has. */
const maxRemembered = 4 * 1024 * 1024;
const maxTexts = 8;
/** The sizes of the most recent long texts, the newest at the end. */
const longTexts: { readonly text: string; readonly size: number }[] = [];
let remembered = 0;

/** How many code points a text has. */
export function textSize(text: string): number {
  if (text.length < long) return countPoints(text);
  const known = longTexts.find((one) => one.text === text);
  if (known !== undefined) return known.size;
  const size = countPoints(text);
  if (text.length <= maxRemembered) remember(text, size);
  return size;
}

function remember(text: string, size: number): void {
  remembered += text.length;
  while (longTexts.length >= maxTexts || remembered > maxRemembered)
    remembered -= longTexts.shift()?.text.length ?? remembered;
  longTexts.push({ text, size });
}

const surrogate = /[\ud800-\udfff]/;

/** Whether every character is one UTF-16 unit. This is fast for texts that V8 stores as Latin-1. */
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

/** The size of a value for cost accounting: the number of characters, bytes, elements or entries; else 1. */
export function costSize(value: Value): number {
  if (typeof value === 'string') return textSize(value);
  if (value instanceof CelObject) return value.costSize ?? 1;
  return value instanceof Uint8Array ? value.length : 1;
}

/** The size of the smaller of two values. The characters of a text that is certainly longer are not counted. */
export function smallerSize(a: Value, b: Value): number {
  if (typeof a !== 'string' || typeof b !== 'string') return Math.min(costSize(a), costSize(b));
  // A character takes at most two units.
  if (a.length * 2 <= b.length) return textSize(a);
  return b.length * 2 <= a.length ? textSize(b) : Math.min(textSize(a), textSize(b));
}
