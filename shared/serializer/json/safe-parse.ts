import { findSyntaxError } from './syntax-error.ts';

/** Objects of this API are nested far less. */
const deepJson = 200;

const nativeParse = JSON.parse.bind(JSON);

/**
 * JSON.parse of Node 26.10 (V8 14.6) writes where it should not, and the process dies, when a text of some thousand open
 * brackets breaks off (`'[1,'.repeat(9000) + '1.5'`). Here what is nested deep is checked before.
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
 * Puts {@link safeParse} in the place of JSON.parse for the whole process, libraries included: tokens and headers of
 * strangers are parsed by them. A reviver is left as it is; none of ours reads what a client sent.
 */
export function guardJsonParse(): void {
  JSON.parse = ((text: unknown, reviver?: Parameters<typeof JSON.parse>[1]) => {
    if (typeof text !== 'string') return nativeParse(text as string, reviver) as unknown;
    const value = safeParse(text);
    return reviver === undefined ? value : (nativeParse(text, reviver) as unknown);
  }) as typeof JSON.parse;
}

/** Brackets within strings count too: that costs only time. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    // `[` and `{` differ in one bit, and so do `]` and `}`.
    const code = text.charCodeAt(at) & ~0x20;
    if (code === 0x5b) {
      if (++depth > deepJson) return true;
    } else if (code === 0x5d && depth > 0) depth--;
  }
  return false;
}
