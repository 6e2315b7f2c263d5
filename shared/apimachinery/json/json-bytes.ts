import type { Buffer } from 'node:buffer';
import { backslash, closeBrace, closeBracket, comma, openBrace, openBracket, quote } from './json-punctuation.ts';

/**
 * Finds values in JSON without parsing it. The text must be valid and without white space between its tokens, as this
 * server prints it.
 */

/** A value: from its first byte to the one after its last. */
export interface JsonRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The value of a key (as JSON text, in quotes) of the object that begins at `at`; nested objects and strings are
 * skipped.
 */
export function findMember(json: Buffer, at: number, key: Buffer): JsonRange | undefined {
  const start = findMemberStart(json, at, key);
  return start < 0 ? undefined : { start, end: skipValue(json, start) };
}

/** Where the value of a key begins, without reading the value; -1 where the key is absent. */
export function findMemberStart(json: Buffer, at: number, key: Buffer): number {
  if (json[at] !== openBrace) return -1;
  let position = at + 1;
  while (json[position] === quote) {
    const keyEnd = stringEnd(json, position);
    if (keyEnd - position === key.length && isKey(json, position, key)) return keyEnd + 1;
    position = skipValue(json, keyEnd + 1) + 1;
  }
  return -1;
}

/** Compares in a loop: for keys, which are short, a call of Buffer.compare costs more. */
function isKey(json: Buffer, position: number, key: Buffer): boolean {
  for (let at = 1; at < key.length; at++) if (json[position + at] !== key[at]) return false;
  return true;
}

/** The position after the value that begins at `at`: that of the comma or bracket that follows. */
export function skipValue(json: Buffer, at: number): number {
  const first = json[at];
  if (first === quote) return stringEnd(json, at);
  if (first === openBrace || first === openBracket) return skipNested(json, at);
  let position = at;
  for (let byte = first; position < json.length && byte !== comma && byte !== closeBrace && byte !== closeBracket;)
    byte = json[++position];
  return position;
}

/**
 * Skips an object or a list with the strings in it. Most bytes outside of strings have values below those of the
 * brackets, so that one comparison is enough for them.
 */
function skipNested(json: Buffer, at: number): number {
  const { length } = json;
  let depth = 0;
  for (let position = at; position < length;) {
    const byte = json[position++] as number;
    if (byte < openBracket) {
      if (byte === quote) position = afterString(json, position);
    } else if (byte === openBrace || byte === openBracket) depth++;
    else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) return position;
  }
  return length;
}

/** The position after the closing quote of the string whose first character is at `from`. */
function afterString(json: Buffer, from: number): number {
  const stepsEnd = from + shortString;
  let position = from;
  while (position < stepsEnd) {
    const byte = json[position++];
    if (byte === quote) return position;
    if (byte === backslash) position++;
  }
  return restOfString(json, position);
}

/** Strings are scanned byte by byte up to this length, then by native code. */
const shortString = 64;
/**
 * Buffer.indexOf searches this many bytes at a time, so that a text full of escapes is not searched to its end for
 * each escape.
 */
const windowBytes = 4096;

/** The position after the closing quote of the string that begins at `at`. */
export function stringEnd(json: Buffer, at: number): number {
  return afterString(json, at + 1);
}

/** As {@link afterString}, for the rest of a long string. */
function restOfString(json: Buffer, from: number): number {
  let position = from;
  for (let stepsEnd = position + shortString; position < json.length;) {
    const byte = json[position];
    if (byte === quote) return position + 1;
    if (byte === backslash) {
      position += 2;
      stepsEnd = position + shortString;
    } else if (++position >= stepsEnd) position = skipPlain(json, position);
  }
  return json.length;
}

/** The next quote or backslash, or the end. */
function skipPlain(json: Buffer, start: number): number {
  for (let from = start; from < json.length; from += windowBytes) {
    const window = json.subarray(from, from + windowBytes);
    const end = window.indexOf(quote);
    const escape = (end < 0 ? window : window.subarray(0, end)).indexOf(backslash);
    if (escape >= 0) return from + escape;
    if (end >= 0) return from + end;
  }
  return json.length;
}
