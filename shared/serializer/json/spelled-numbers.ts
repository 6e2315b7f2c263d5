import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { readFloats } from '#shared/apimachinery/json/whole-floats.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { exact, withMarked } from './exact-integers.ts';
import { formatFloat } from './go-text.ts';
import { markNumbers, numberMark } from './mark-numbers.ts';
import { parseInSteps } from './parse-in-steps.ts';
import { safeParse } from './safe-parse.ts';

/** Matches numbers that are printed in another spelling when they are read as a number or exact integer. */
const otherwise = /^-?\d+[.eE]|^-0$|\d{19}/;
const large = /^-?\d{16,}$/;

/**
 * Reads a valid JSON text in which numbers that Go prints otherwise (`1.0`, `1e3`, `-0`) are {@link spelling spelled}:
 * strings with a mark. `conform` reads them by their types, and patches treat them like any value. Go keeps the text of
 * a number until its type is known, and then accepts no number with a point or an exponent as an integer.
 */
export function parseSpelled(text: string): Steps<JsonValue> {
  return parseInSteps(text, parsePiece);
}

/** Parses a text, or a piece of one. */
function parsePiece(text: string): JsonValue {
  const value = safeParse(markNumbers(text, (token) => isSpelled(token) || large.test(token))) as JsonValue;
  return withMarked(value, (number) => (isSpelled(number) ? numberMark + number : exact(number)));
}

function isSpelled(token: string): boolean {
  return (
    otherwise.test(token) &&
    (token === '-0' ||
      (formatFloat(Number(token)) !== token && (!large.test(token) || typeof exact(token) !== 'bigint')))
  );
}

/** The text of a spelled number; undefined for any other value. */
export function spelling(value: JsonValue): string | undefined {
  return typeof value === 'string' && value.startsWith(numberMark) ? value.slice(numberMark.length) : undefined;
}

/** Replaces spelled numbers by numbers, in place. Without a type Go has no negative zero. */
export function plainNumbers(
  value: JsonValue,
  read: (number: string) => number = (number) => Number(number) + 0,
): JsonValue {
  return withMarked(value, read);
}

const markedText = new RegExp(`"${numberMark}([^"]*)"`, 'g');

/** As {@link plainNumbers}, for a custom resource: records which whole numbers are floats (`whole-floats.ts`). */
export function plainNumbersOfCustom(value: JsonValue): Steps<JsonValue> {
  return readFloats(value, (scalar) => {
    const text = spelling(scalar);
    if (text === undefined) return undefined;
    const number = Number(text) + 0;
    return { number, isFloat: isWholeFloat.test(text) && Number.isInteger(number) && isInt64(number) };
  });
}

/**
 * Whether a number is within int64. Larger numbers are floats in every spelling, also when they are read from storage.
 */
function isInt64(number: number): boolean {
  return number >= -(2 ** 63) && number < 2 ** 63;
}

const isWholeFloat = /[.eE]/;
const mayBeWholeFloat = /\.0+(?!\d)|\.\d{15}|\d[eE]/;

/** Whether a JSON text may have a whole number that is written as a float. */
export function mayHoldWholeFloats(text: string): boolean {
  return mayBeWholeFloat.test(text);
}

/** A printed value in which spelled numbers have their original text. */
export function spelledText(text: string): string {
  return text.replace(markedText, '$1');
}
