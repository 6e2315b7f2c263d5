import { indexOfUnit, unitOf } from '#shared/cel/libraries/sizes.ts';
import { isPlain, textSize } from '#shared/cel/values/sizes.ts';
import { CelError, type Value } from '#shared/cel/values/value.ts';

type Int = number | bigint;

function outOfRange(index: Int): CelError {
  return new CelError(`index out of range: ${index}`);
}

function isWithin(index: Int, length: number): index is number {
  return typeof index === 'number' && index >= 0 && index <= length;
}

/** The character at an index; empty for the index after the last character. */
export function charAt(text: string, index: Int): Value {
  if (!isWithin(index, textSize(text))) return outOfRange(index);
  const unit = unitOf(text, index);
  return unit >= text.length ? '' : String.fromCodePoint(text.codePointAt(unit) ?? 0);
}

/** The index of the first occurrence at or after `from`, or -1. */
export function indexOf(text: string, part: string, from: Int = 0): Value {
  if (part === '') return from;
  if (from < 0) return outOfRange(from);
  const length = textSize(text);
  if (from >= length) return -1;
  const unit = text.indexOf(part, unitOf(text, Number(from)));
  return unit < 0 || isPlain(text) ? unit : indexOfUnit(text, unit);
}

/** The index of the last occurrence that begins at or before `from`, or -1. */
export function lastIndexOf(text: string, part: string, from?: Int): Value {
  const length = textSize(text);
  if (part === '') return from ?? length;
  const last = from ?? Math.max(0, length - 1);
  if (last < 0) return outOfRange(last);
  if (last >= length) return -1;
  const unit = text.lastIndexOf(part, unitOf(text, Number(last)));
  return unit < 0 || isPlain(text) ? unit : indexOfUnit(text, unit);
}

/** Characters from a start index up to an end index. */
export function substring(text: string, start: Int, end?: Int): Value {
  const length = textSize(text);
  if (end !== undefined && start > end) return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  if (!isWithin(start, length)) return outOfRange(start);
  if (end === undefined) return text.slice(unitOf(text, start));
  return isWithin(end, length) ? text.slice(unitOf(text, start), unitOf(text, end)) : outOfRange(end);
}
