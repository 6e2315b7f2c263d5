import { ArrayList } from '../../values/list.ts';
import type { CelList } from '../../values/value.ts';

type Int = number | bigint;

/** Replaces the first `count` occurrences, all where it is negative. An empty part stands before each character and at the end. */
export function replace(text: string, part: string, by: string, count: Int = -1): string {
  if (count === 0 || part === by) return text;
  if (count < 0) return part === '' ? between(text, by, Number.POSITIVE_INFINITY) : text.split(part).join(by);
  if (part === '') return between(text, by, Number(count));
  const pieces = splitAt(text, part, Number(count) + 1);
  return pieces.join(by);
}

/** The replacement of the empty string: a text before each of the first characters, and behind the last one. */
function between(text: string, by: string, count: number): string {
  const pieces: string[] = [];
  let left = count;
  let at = 0;
  for (const character of text) {
    if (left-- <= 0) return pieces.join('') + text.slice(at);
    pieces.push(by, character);
    at += character.length;
  }
  if (left > 0) pieces.push(by);
  return pieces.join('');
}

/** Parts between separators, at most `count` where it is not negative; an empty separator parts every character. */
export function split(text: string, separator: string, count: Int = -1): CelList {
  if (count === 0) return new ArrayList([]);
  return new ArrayList(splitAt(text, separator, count < 0 ? Number.POSITIVE_INFINITY : Number(count)));
}

function splitAt(text: string, separator: string, most: number): string[] {
  if (separator === '') return charactersOf(text, most);
  if (most === Number.POSITIVE_INFINITY) return text.split(separator);
  const parts: string[] = [];
  let from = 0;
  while (parts.length < most - 1) {
    const at = text.indexOf(separator, from);
    if (at < 0) break;
    parts.push(text.slice(from, at));
    from = at + separator.length;
  }
  parts.push(text.slice(from));
  return parts;
}

function charactersOf(text: string, most: number): string[] {
  const parts: string[] = [];
  let at = 0;
  for (const character of text) {
    if (parts.length === most - 1) return [...parts, text.slice(at)];
    parts.push(character);
    at += character.length;
  }
  return parts;
}
