import { setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { isSliced, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { endOfString } from './end-of-string.ts';
import { parseOwn } from './safe-parse.ts';

/** Members and items are parsed together up to about this many characters: a millisecond of work. */
const chunkLength = 16 * 1024;
const backslash = 0x5c;
/** A longer string literal is parsed in pieces. */
const longString = 64 * 1024;
/** Characters between two checks of the clock. */
const clockCheckLength = 64 * 1024;
/** Deeper values are parsed in one step, so no character is scanned more often than this. */
const maxDepth = 32;

/**
 * Thrown where a text cannot be parsed in steps: it is not JSON, or unusual. It is then parsed at once, which reports
 * the error.
 */
class Unreadable extends Error {}

/** Reads a JSON text as `parse` does, a piece in each step. Unusual texts, and errors, are left to `parse`. */
export function* parseInSteps(text: string, parse: (text: string) => unknown): Steps<JsonValue> {
  if (text.length <= chunkLength || !isSliced()) return parse(text) as JsonValue;
  try {
    const reader = new Reader(text, parse);
    return yield* reader.read();
  } catch (error) {
    if (error instanceof Unreadable || error instanceof SyntaxError) return parse(text) as JsonValue;
    throw error;
  }
}

/** Position of the parser within a member or item, and how many brackets are open there. */
interface ParsePosition {
  at: number;
  depth: number;
}

class Reader {
  readonly #text: string;
  readonly #parse: (text: string) => unknown;

  constructor(text: string, parse: (text: string) => unknown) {
    this.#text = text;
    this.#parse = parse;
  }

  *read(): Steps<JsonValue> {
    const start = skipSpace(this.#text, 0);
    return yield* this.#value(start, trimEnd(this.#text, this.#text.length), 0);
  }

  *#value(start: number, end: number, depth: number): Steps<JsonValue> {
    const first = this.#text[start];
    if (first === '"' && end - start > longString) return yield* this.#longString(start, end);
    if (end - start <= chunkLength || depth === maxDepth || (first !== '{' && first !== '['))
      return this.#parse(this.#text.slice(start, end)) as JsonValue;
    if (this.#text[end - 1] !== (first === '{' ? '}' : ']')) throw new Unreadable();
    return first === '{'
      ? yield* this.#object(start + 1, end - 1, depth)
      : yield* this.#list(start + 1, end - 1, depth);
  }

  /** Reads a long string literal, piece by piece. */
  *#longString(start: number, end: number): Steps<string> {
    if (endOfText(this.#text, start) !== end) throw new Unreadable();
    const pieces: string[] = [];
    for (let at = start + 1; at < end - 1;) {
      const next = pieceEnd(this.#text, at, end - 1);
      pieces.push(parseOwn(`"${this.#text.slice(at, next)}"`) as string);
      at = next;
      if (sliceIsOver()) yield;
    }
    return pieces.join('');
  }

  *#object(start: number, end: number, depth: number): Steps<JsonObject> {
    const object: JsonObject = {};
    for (let at = start; at < end;) {
      const next = yield* this.#endOfChunk(at, end);
      if (next - at > 2 * chunkLength) {
        const keyStart = skipSpace(this.#text, at);
        const keyEnd = endOfText(this.#text, keyStart);
        const colon = skipSpace(this.#text, keyEnd);
        if (this.#text[colon] !== ':') throw new Unreadable();
        const value = skipSpace(this.#text, colon + 1);
        setKey(
          object,
          String(this.#parse(this.#text.slice(keyStart, keyEnd))),
          yield* this.#value(value, trimEnd(this.#text, next), depth + 1),
        );
      } else {
        const members = this.#parse(`{${this.#piece(at, next)}}`) as JsonObject;
        for (const key of Object.keys(members)) setKey(object, key, members[key] as JsonValue);
      }
      if (sliceIsOver()) yield;
      at = this.#afterComma(next, end);
    }
    return object;
  }

  *#list(start: number, end: number, depth: number): Steps<JsonValue[]> {
    const list: JsonValue[] = [];
    for (let at = start; at < end;) {
      const next = yield* this.#endOfChunk(at, end);
      if (next - at > 2 * chunkLength)
        list.push(yield* this.#value(skipSpace(this.#text, at), trimEnd(this.#text, next), depth + 1));
      else for (const item of this.#parse(`[${this.#piece(at, next)}]`) as JsonValue[]) list.push(item);
      if (sliceIsOver()) yield;
      at = this.#afterComma(next, end);
    }
    return list;
  }

  #piece(start: number, end: number): string {
    // There must be a value between two commas.
    if (skipSpace(this.#text, start) >= end) throw new Unreadable();
    return this.#text.slice(start, end);
  }

  /** A comma must be followed by a member or item. */
  #afterComma(at: number, end: number): number {
    if (at === end) return end;
    if (skipSpace(this.#text, at + 1) >= end) throw new Unreadable();
    return at + 1;
  }

  /**
   * End of the members or items that are parsed together: a comma between them, or the end. A large one is parsed by
   * itself.
   */
  *#endOfChunk(start: number, end: number): Steps<number> {
    for (let at = start, last = start; ;) {
      const position: ParsePosition = { at, depth: 0 };
      while (!passMember(this.#text, position, end, position.at + clockCheckLength)) if (sliceIsOver()) yield;
      const next = Math.min(position.at, end);
      const isLarge = next - at > chunkLength;
      if (isLarge && last > start) return last;
      if (isLarge || next === end || next - start > chunkLength) return next;
      last = next;
      at = next + 1;
    }
  }
}

/** Advances to the comma after a member or item, or to the end; returns whether that was reached before the limit. */
function passMember(text: string, position: ParsePosition, end: number, limit: number): boolean {
  let { at, depth } = position;
  while (at < end && at < limit) {
    const code = text.charCodeAt(at);
    if (code === 0x2c && depth === 0) break;
    if (isOpening(code)) depth++;
    else if (isClosing(code) && --depth < 0) throw new Unreadable();
    at = code === 0x22 ? endOfText(text, at) : at + 1;
  }
  position.at = at;
  position.depth = depth;
  if (at >= end && depth > 0) throw new Unreadable();
  return at < limit || at >= end;
}

/**
 * A position to cut a string literal at. It is not within an escape, which is a backslash and one character, or `\u`
 * and four digits.
 */
function pieceEnd(text: string, start: number, end: number): number {
  const at = start + chunkLength;
  if (at >= end) return end;
  let last = at - 1;
  while (last > at - 6 && text.charCodeAt(last) !== backslash) last--;
  let first = last;
  while (first >= start && text.charCodeAt(first) === backslash) first--;
  // In an odd number of backslashes the last one begins an escape; in an even number none does.
  return (last - first) % 2 === 1 ? last : at;
}

/** `[` and `{` differ in one bit, and so do `]` and `}`. */
function isOpening(code: number): boolean {
  return (code & ~0x20) === 0x5b;
}

function isClosing(code: number): boolean {
  return (code & ~0x20) === 0x5d;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

function trimEnd(text: string, end: number): number {
  let at = end;
  while (isSpace(text.charCodeAt(at - 1))) at--;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** The position after the closing quote of the string that begins at `start`. */
function endOfText(text: string, start: number): number {
  const end = text.charCodeAt(start) === 0x22 ? endOfString(text, start) : undefined;
  if (end === undefined) throw new Unreadable();
  return end;
}
