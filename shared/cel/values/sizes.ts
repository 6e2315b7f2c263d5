import { CelObject } from '../types/cel-object.ts';
import type { Value } from './value.ts';

/** Texts from this length on are remembered with their size, so that asking again costs nothing. */
const long = 1024;
let longText = '';
let longSize = 0;

/** How many code points a text has. */
export function textSize(text: string): number {
  if (text.length < long) return countPoints(text);
  if (text !== longText) {
    longSize = countPoints(text);
    longText = text;
  }
  return longSize;
}

const surrogate = /[\ud800-\udfff]/;

/** Whether every character is one UTF-16 unit. V8 knows that at once of texts that it keeps in bytes. */
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
