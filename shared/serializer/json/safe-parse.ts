import { findSyntaxError } from './syntax-error.ts';

/** Nesting that counts as deep; objects of this API are nested far less. */
const deepJson = 200;
const quote = 0x22;
const backslash = 0x5c;

const nativeParse = JSON.parse.bind(JSON);

/**
 * Parses JSON, but checks deeply nested texts first: JSON.parse of Node 26.10 (V8 14.6) corrupts memory and crashes the
 * process for a truncated text with thousands of open brackets (`'[1,'.repeat(9000) + '1.5'`).
 * @throws SyntaxError
 */
export function safeParse(text: string): unknown {
  if (text.length >= deepJson && isDeep(text)) {
    const wrong = findSyntaxError(Buffer.from(text, 'utf8'));
    if (wrong !== undefined) throw new SyntaxError(wrong);
  }
  return nativeParse(text) as unknown;
}

/**
 * As JSON.parse, for a text that is known to be complete, such as one that this server printed: only a truncated text
 * is dangerous.
 */
export function parseOwn(text: string): unknown {
  return nativeParse(text) as unknown;
}

/**
 * Replaces JSON.parse by {@link safeParse} for the whole process, since libraries parse tokens and headers of
 * unauthenticated clients. Calls with a reviver are passed on unchanged; this server uses none on client input.
 */
export function guardJsonParse(): void {
  JSON.parse = ((text: unknown, reviver?: Parameters<typeof JSON.parse>[1]) => {
    if (typeof text !== 'string') return nativeParse(text as string, reviver) as unknown;
    const value = safeParse(text);
    return reviver === undefined ? value : (nativeParse(text, reviver) as unknown);
  }) as typeof JSON.parse;
}

/**
 * Whether a text is nested deep. Skips strings, since a closing bracket in a string would cancel an open one. Up to its
 * first error, a text is read as JSON.parse reads it.
 */
function isDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at + 1);
    // `[` and `{` differ in one bit, and so do `]` and `}`.
    else if ((code & ~0x20) === 0x5b) {
      if (++depth > deepJson) return true;
    } else if ((code & ~0x20) === 0x5d && depth > 0) depth--;
  }
  return false;
}

/**
 * Position of the closing quote, or past the end. Strings can be long: a search for the quote reads many bytes at a
 * time.
 */
function endOfString(text: string, start: number): number {
  for (let from = start; ;) {
    const at = text.indexOf('"', from);
    if (at < 0) return text.length;
    let escapes = 0;
    while (at - escapes > start && text.charCodeAt(at - escapes - 1) === backslash) escapes++;
    if (escapes % 2 === 0) return at;
    from = at + 1;
  }
}
