import type { JsonValue } from '../../apimachinery/json.ts';
import { mapScalars } from './map-scalars.ts';
import { markNumbers, numberMark } from './mark-numbers.ts';

const integer = /^-?\d{16,}$/;

/**
 * Reads a valid JSON text with integers that a number does not hold exactly as bigint, up to 64 bits; where they are
 * beyond those too, Go has a float64. Not by a reviver of JSON.parse: that of Node 26.10 (V8 14.6) writes where it
 * should not for some texts, and the process dies (`test/robustness/fuzz/corpus/json-text.reviver`).
 */
export function parseExactIntegers(text: string): JsonValue {
  return withMarked(JSON.parse(markNumbers(text, (token) => integer.test(token))) as JsonValue, exact);
}

/** The value, in which what `made` gives takes the place of marked numbers. In place. */
export function withMarked(value: JsonValue, made: (number: string) => JsonValue): JsonValue {
  return mapScalars(value, (scalar) =>
    typeof scalar === 'string' && scalar.startsWith(numberMark) ? made(scalar.slice(numberMark.length)) : scalar,
  );
}

/** A number that is spelled without point and exponent. */
export function exact(digits: string): JsonValue {
  const value = Number(digits);
  if (Number.isSafeInteger(value)) return value;
  const large = BigInt(digits);
  return BigInt.asIntN(64, large) === large || BigInt.asUintN(64, large) === large ? large : value;
}
