import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { mapScalars } from './map-scalars.ts';
import { markNumbers, numberMark } from './mark-numbers.ts';

const integer = /^-?\d{16,}$/;

/**
 * Reads a valid JSON text. An integer that a number cannot hold exactly becomes a bigint, up to 64 bits; a larger one
 * is a float64, as in Go. Does not use a reviver of JSON.parse: in Node 26.10 (V8 14.6) it corrupts memory for some
 * texts, and the process crashes (`test/robustness/fuzz/corpus/json-text.reviver`).
 */
export function parseExactIntegers(text: string): JsonValue {
  return withMarked(JSON.parse(markNumbers(text, (token) => integer.test(token))) as JsonValue, exact);
}

/** Replaces each marked number by the result of `made`, in place. */
export function withMarked(value: JsonValue, made: (number: string) => JsonValue): JsonValue {
  return mapScalars(value, (scalar) =>
    typeof scalar === 'string' && scalar.startsWith(numberMark) ? made(scalar.slice(numberMark.length)) : scalar,
  );
}

/** The value of a number without point and exponent. */
export function exact(digits: string): JsonValue {
  const value = Number(digits);
  if (Number.isSafeInteger(value)) return value;
  const large = BigInt(digits);
  return BigInt.asIntN(64, large) === large || BigInt.asUintN(64, large) === large ? large : value;
}
