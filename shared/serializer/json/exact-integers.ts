import { randomUUID } from 'node:crypto';
import { setKey } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';

const integer = /^-?\d{16,}$/;
/** Before the digits of an integer while it is a string; no client can know it. */
const mark = `${randomUUID()}:`;

const quote = 0x22;
const backslash = 0x5c;
const minus = 0x2d;

/**
 * Reads a valid JSON text with integers that a number does not hold exactly as bigint, up to 64 bits; where they are
 * beyond those too, Go has a float64. Not by a reviver of JSON.parse: that of Node 26.10 (V8 14.6) writes where it should
 * not for some texts, and the process dies (`test/robustness/fuzz/corpus/json-text.reviver`).
 */
export function parseExactIntegers(text: string): JsonValue {
  const root: JsonValue[] = [JSON.parse(markIntegers(text)) as JsonValue];
  const open: (JsonValue[] | JsonObject)[] = [root];
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    for (const key of Object.keys(container)) {
      const value = (container as JsonObject)[key];
      if (typeof value === 'object' && value !== null) open.push(value);
      else if (typeof value === 'string' && value.startsWith(mark)) setKey(container as JsonObject, key, exact(value.slice(mark.length)));
    }
  }
  return root[0] ?? null;
}

function exact(digits: string): JsonValue {
  const value = Number(digits);
  if (Number.isSafeInteger(value)) return value;
  const large = BigInt(digits);
  return BigInt.asIntN(64, large) === large || BigInt.asUintN(64, large) === large ? large : value;
}

/** Long integers become strings that begin with the mark. */
function markIntegers(text: string): string {
  const parts: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at + 1);
    else if (code === minus || isNumberPart(code)) {
      const start = at++;
      while (isNumberPart(text.charCodeAt(at))) at++;
      const token = text.slice(start, at);
      if (!integer.test(token)) continue;
      parts.push(text.slice(copied, start), `"${mark}${token}"`);
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

/** Digits, and what follows them in a number that is no integer. */
function isNumberPart(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2e || code === 0x2b || code === minus || code === 0x65 || code === 0x45;
}
