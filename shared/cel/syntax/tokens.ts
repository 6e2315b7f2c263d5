import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { partIsOver } from '#shared/cel/values/part-is-over.ts';

/** Kinds of tokens. The kind of an operator or bracket is its text. */
export type TokenKind =
  | 'end'
  | 'identifier'
  | 'escaped'
  | 'int'
  | 'uint'
  | 'float'
  | 'string'
  | 'bytes'
  | 'true'
  | 'false'
  | 'null'
  | 'in'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>='
  | '>'
  | '&&'
  | '||'
  | '['
  | ']'
  | '{'
  | '}'
  | '('
  | ')'
  | '.'
  | ','
  | '-'
  | '!'
  | '?'
  | ':'
  | '+'
  | '*'
  | '/'
  | '%';

/** The tokens of an expression: their kinds, and the offsets at which they begin and end. The last one is `end`. */
export interface Tokens {
  readonly kinds: readonly TokenKind[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const keywords = new Map<string, TokenKind>([
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
  ['in', 'in'],
]);
const single = new Map<number, TokenKind>(
  ['[', ']', '{', '}', '(', ')', '.', ',', '-', '!', '?', ':', '+', '*', '/', '%', '<', '>'].map((text) => [
    text.charCodeAt(0),
    text as TokenKind,
  ]),
);

const letter = 1;
const digit = 2;
const hexDigit = 4;
const space = 8;
/** The classes of each ASCII character, as bits. */
const classes = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const text = String.fromCharCode(code);
  classes[code] =
    (/[A-Za-z_]/.test(text) ? letter : 0) |
    (/[0-9]/.test(text) ? digit : 0) |
    (/[0-9a-fA-F]/.test(text) ? hexDigit : 0) |
    (/[\t \r\n\f]/.test(text) ? space : 0);
}

function is(code: number, kind: number): boolean {
  return code < 128 && ((classes[code] ?? 0) & kind) !== 0;
}

/** Splits a text into tokens, each as long as possible; undefined if a character cannot begin a token. */
export function* tokenize(text: string): Steps<Tokens | undefined> {
  const kinds: TokenKind[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  for (let at = 0; ;) {
    if (partIsOver()) yield;
    at = skipBlanks(text, at);
    starts.push(at);
    if (at >= text.length) {
      kinds.push('end');
      ends.push(at);
      return { kinds, starts, ends };
    }
    const code = text.charCodeAt(at);
    let kind: TokenKind | undefined;
    let end: number;
    if (is(code, letter)) {
      end = literalEnd(text, at, code);
      if (end > 0) kind = code === 0x62 || code === 0x42 ? 'bytes' : 'string';
      else {
        end = skip(text, at + 1, letter | digit);
        kind = (end - at <= 5 ? keywords.get(text.slice(at, end)) : undefined) ?? 'identifier';
      }
    } else if (is(code, digit) || (code === 0x2e && is(text.charCodeAt(at + 1), digit))) {
      ({ kind, end } = numberAt(text, at));
    } else if (code === 0x22 || code === 0x27) {
      end = quotedEnd(text, at, false);
      kind = end > 0 ? 'string' : undefined;
    } else if (code === 0x60) {
      escapedName.lastIndex = at;
      end = escapedName.test(text) ? escapedName.lastIndex : 0;
      kind = end > 0 ? 'escaped' : undefined;
    } else {
      const pair = text.slice(at, at + 2);
      if (pair === '==' || pair === '!=' || pair === '<=' || pair === '>=' || pair === '&&' || pair === '||') {
        kind = pair;
        end = at + 2;
      } else {
        kind = single.get(code);
        end = at + 1;
      }
    }
    if (kind === undefined) return undefined;
    kinds.push(kind);
    ends.push(end);
    at = end;
  }
}

const escapedName = /`[A-Za-z0-9_.\-/ ]+`/y;

function skipBlanks(text: string, from: number): number {
  for (let at = from; ;) {
    at = skip(text, at, space);
    if (text.charCodeAt(at) !== 0x2f || text.charCodeAt(at + 1) !== 0x2f) return at;
    const line = text.indexOf('\n', at);
    if (line < 0) return text.length;
    at = line;
  }
}

function skip(text: string, from: number, kind: number): number {
  let at = from;
  while (at < text.length && is(text.charCodeAt(at), kind)) at++;
  return at;
}

function numberAt(text: string, at: number): { kind: TokenKind; end: number } {
  if (text.charCodeAt(at) === 0x30 && text.charCodeAt(at + 1) === 0x78 && is(text.charCodeAt(at + 2), hexDigit)) {
    return withUnsigned(text, skip(text, at + 2, hexDigit));
  }
  const whole = skip(text, at, digit);
  let end = whole;
  if (text.charCodeAt(end) === 0x2e && is(text.charCodeAt(end + 1), digit)) end = skip(text, end + 1, digit);
  const e = text.charCodeAt(end);
  if (e === 0x65 || e === 0x45) {
    const sign = text.charCodeAt(end + 1);
    const from = end + (sign === 0x2b || sign === 0x2d ? 2 : 1);
    if (is(text.charCodeAt(from), digit)) end = skip(text, from, digit);
  }
  return end > whole ? { kind: 'float', end } : withUnsigned(text, whole);
}

function withUnsigned(text: string, end: number): { kind: TokenKind; end: number } {
  const code = text.charCodeAt(end);
  return code === 0x75 || code === 0x55 ? { kind: 'uint', end: end + 1 } : { kind: 'int', end };
}

/** The end of a literal with a prefix (`b`, `r`, `br`); 0 if none begins here. */
function literalEnd(text: string, at: number, first: number): number {
  let quote = at;
  if (first === 0x62 || first === 0x42) quote++;
  const code = text.charCodeAt(quote);
  const raw = code === 0x72 || code === 0x52;
  if (raw) quote++;
  if (quote === at) return 0;
  const mark = text.charCodeAt(quote);
  return mark === 0x22 || mark === 0x27 ? quotedEnd(text, quote, raw) : 0;
}

/** The offset after the closing quotes of a quoted text; 0 if it is not closed. */
function quotedEnd(text: string, at: number, raw: boolean): number {
  const quote = text.charCodeAt(at);
  if (text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote) {
    const end = closing(text, at + 3, quote, raw, true);
    if (end > 0) return end;
  }
  return closing(text, at + 1, quote, raw, false);
}

function closing(text: string, from: number, quote: number, raw: boolean, triple: boolean): number {
  for (let at = from; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      if (!triple) return at + 1;
      if (text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote) return at + 3;
      at++;
    } else if (code === 0x5c && !raw) {
      escapeSequence.lastIndex = at;
      if (!escapeSequence.test(text)) return 0;
      at = escapeSequence.lastIndex;
    } else if (!triple && (code === 0x0a || code === 0x0d)) {
      return 0;
    } else {
      at++;
    }
  }
  return 0;
}

const escapeSequence = /\\(?:[abfnrtv"'\\?`]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/y;
