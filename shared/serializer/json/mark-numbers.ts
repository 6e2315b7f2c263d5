import { randomUUID } from 'node:crypto';

/** Prefix of the strings that represent numbers in marked JSON; random, so that no client can send it. */
export const numberMark = `${randomUUID()}:`;

const quote = 0x22;
const backslash = 0x5c;
const minus = 0x2d;

/**
 * Replaces the numbers of a valid JSON text for which `isWanted` is true by strings: the mark, then the text of the
 * number.
 */
export function markNumbers(text: string, isWanted: (token: string) => boolean): string {
  const parts: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at + 1);
    else if (code === minus || isNumberPart(code)) {
      const start = at++;
      while (isNumberPart(text.charCodeAt(at))) at++;
      const token = text.slice(start, at);
      if (!isWanted(token)) continue;
      parts.push(text.slice(copied, start), `"${numberMark}${token}"`);
      copied = at;
    } else at++;
  }
  parts.push(text.slice(copied));
  return parts.join('');
}

function endOfString(text: string, start: number): number {
  let at = start;
  for (let code = text.charCodeAt(at); code !== quote; code = text.charCodeAt(at)) at += code === backslash ? 2 : 1;
  return at + 1;
}

/** Whether a character can be part of a number: a digit, a point, an exponent or a sign. */
function isNumberPart(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) || code === 0x2e || code === 0x2b || code === minus || code === 0x65 || code === 0x45
  );
}
