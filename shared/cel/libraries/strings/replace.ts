import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { ArrayList } from '#shared/cel/values/list.ts';
import { typeOf } from '#shared/cel/values/type-of.ts';
import { CelError, type CelList, type Value } from '#shared/cel/values/value.ts';
import { countWork } from '#shared/cel/values/work-limit.ts';
import { StringPieces } from './pieces.ts';

type Int = number | bigint;

/**
 * Replaces the first `count` occurrences; all if `count` is negative. An empty `part` occurs before each character and
 * at the end.
 */
export function* replace(text: string, part: string, by: string, count: Int = -1): Steps<string> {
  if (count === 0 || part === by) return text;
  const most = count < 0 ? Number.POSITIVE_INFINITY : Number(count);
  if (part === '') return yield* between(text, by, most);
  const pieces = new StringPieces();
  let from = 0;
  for (let left = most; left > 0; left--) {
    const at = text.indexOf(part, from);
    if (at < 0) break;
    pieces.add(text.slice(from, at));
    pieces.add(by);
    from = at + part.length;
    if (countWork()) yield;
  }
  if (from === 0) return text;
  pieces.add(text.slice(from));
  return pieces.text();
}

/** Replaces the empty string: inserts `by` before each character and at the end, at most `count` times. */
function* between(text: string, by: string, count: number): Steps<string> {
  const pieces = new StringPieces();
  let left = count;
  let at = 0;
  for (const character of text) {
    if (left-- <= 0) {
      pieces.add(text.slice(at));
      return pieces.text();
    }
    pieces.add(by);
    pieces.add(character);
    at += character.length;
    if (countWork()) yield;
  }
  if (left > 0) pieces.add(by);
  return pieces.text();
}

/** Splits at separators; into at most `count` parts unless it is negative. An empty separator splits characters. */
export function* split(text: string, separator: string, count: Int = -1): Steps<CelList> {
  if (count === 0) return new ArrayList([]);
  return new ArrayList(yield* splitAt(text, separator, count < 0 ? Number.POSITIVE_INFINITY : Number(count)));
}

function* splitAt(text: string, separator: string, most: number): Steps<string[]> {
  if (separator === '') return yield* charactersOf(text, most);
  const parts: string[] = [];
  let from = 0;
  while (parts.length < most - 1) {
    const at = text.indexOf(separator, from);
    if (at < 0) break;
    parts.push(text.slice(from, at));
    from = at + separator.length;
    if (countWork()) yield;
  }
  parts.push(text.slice(from));
  return parts;
}

function* charactersOf(text: string, most: number): Steps<string[]> {
  const parts: string[] = [];
  let at = 0;
  for (const character of text) {
    if (parts.length === most - 1) {
      parts.push(text.slice(at));
      return parts;
    }
    parts.push(character);
    at += character.length;
    if (countWork()) yield;
  }
  return parts;
}

/** Joins the strings of a list with a separator. */
export function* join(list: CelList, separator = ''): Steps<Value> {
  const pieces = new StringPieces();
  for (let index = 0, { size } = list; index < size; index++) {
    const part = list.get(index);
    if (typeof part !== 'string')
      return part instanceof CelError ? part : new CelError(`join: invalid input: ${typeOf(part).name}`);
    if (index > 0) pieces.add(separator);
    pieces.add(part);
    if (countWork()) yield;
  }
  return pieces.text();
}
