import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { textOfBuffer } from '#shared/apimachinery/text/byte-text.ts';
import { parseExactIntegers } from './exact-integers.ts';
import { mapScalars, withWholeCharacters } from './map-scalars.ts';
import { parseInSteps } from './parse-in-steps.ts';
import { parseOwn, safeParse } from './safe-parse.ts';
import { findSyntaxError, JsonSyntaxError } from './syntax-error.ts';

/** A cheap first check: only a text with 16 digits in a row can have an integer that a number cannot hold exactly. */
const manyDigits = /\d{16}/;
/** Matches a negative zero, which Go does not have in values that it decodes without a type. */
const negativeZero = /-0(?:\.0*)?(?:[eE][+-]?\d+)?(?=[\s,\]}]|$)/;

/** Matches an escaped half of a surrogate pair, whose other half may be missing. */
const surrogateEscape = /\\u[dD][89a-fA-F]/;

/** Decodes UTF-8; every byte that is not part of a valid character becomes U+FFFD, as in Go's decoder. */
export function decodeUtf8(bytes: Uint8Array): string {
  return textOfBuffer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).toWellFormed();
}

/**
 * Reads a JSON text. Integers are numbers, or bigint beyond 2^53-1 (up to 64 bits); the last of duplicate keys wins.
 * @throws JsonSyntaxError with Go's message (`invalid character '}' looking for beginning of value`)
 */
export function parseJson(bytes: Uint8Array): Steps<JsonValue> {
  return parseJsonText(decodeUtf8(bytes), bytes);
}

/**
 * As {@link parseJson}, for a text that is decoded already; `largeIntegers` is false where it is known to have none.
 */
export function* parseJsonText(
  text: string,
  bytes?: Uint8Array,
  largeIntegers = manyDigits.test(text),
): Steps<JsonValue> {
  try {
    // A byte order mark is white space neither for Go nor for JSON.parse.
    return yield* parseInSteps(text, largeIntegers ? parseWithExact : parseWithoutExact);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new JsonSyntaxError(findSyntaxError(bytes ?? Buffer.from(text, 'utf8')) ?? 'unexpected end of JSON input');
  }
}

/** Parses a text, or a piece of one. */
function parseWithoutExact(text: string): JsonValue {
  return asGoReads(text, safeParse(text) as JsonValue);
}

function parseWithExact(text: string): JsonValue {
  if (!manyDigits.test(text)) return parseWithoutExact(text);
  // Refuses an invalid text before its numbers are read.
  safeParse(text);
  return asGoReads(text, parseExactIntegers(text));
}

/** Replaces what Go does not have in values: negative zeros, and halves of surrogate pairs. */
function asGoReads(text: string, value: JsonValue): JsonValue {
  const positive = negativeZero.test(text) ? mapScalars(value, (scalar) => (scalar === 0 ? 0 : scalar)) : value;
  return surrogateEscape.test(text) ? withWholeCharacters(positive) : positive;
}

/** As {@link parseJson}, for a text that this server printed. */
export function parsePrinted(text: string): Steps<JsonValue> {
  return parseInSteps(text, manyDigits.test(text) ? parseOwnExact : parseOwn);
}

function parseOwnExact(text: string): unknown {
  return manyDigits.test(text) ? parseExactIntegers(text) : parseOwn(text);
}
