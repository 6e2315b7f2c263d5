import { Buffer } from 'node:buffer';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';

export const percent = 0x25;

const digits = Buffer.from('0123456789ABCDEF');

/** The number of bytes between two checks of the clock. */
export const chunk = 64 * 1024;

export function* escape(bytes: string, allowed: RegExp): Steps<string> {
  const stands = allowedBytes(allowed);
  let text = '';
  for (let at = 0; at < bytes.length; at += chunk) {
    text += escapePart(bytes.slice(at, at + chunk), stands);
    if (sliceIsOver()) yield;
  }
  return text;
}

function escapePart(bytes: string, stands: Uint8Array): string {
  const from = Buffer.from(bytes, 'latin1');
  const to = Buffer.allocUnsafe(from.length * 3);
  let length = 0;
  for (const byte of from) {
    if (stands[byte] === 1) {
      to[length++] = byte;
      continue;
    }
    to[length++] = percent;
    to[length++] = digits[byte >> 4] ?? 0;
    to[length++] = digits[byte & 15] ?? 0;
  }
  return to.toString('latin1', 0, length);
}

/** Whether a text matches a pattern of allowed characters; it is tested chunk by chunk. */
export function* isWholly(text: string, pattern: RegExp): Steps<boolean> {
  for (let at = 0; at < text.length; at += chunk) {
    if (!pattern.test(text.slice(at, at + chunk))) return false;
    if (sliceIsOver()) yield;
  }
  return true;
}

const tables = new Map<RegExp, Uint8Array>();

/** A table with 1 for each byte that is not escaped: letters, digits and the characters of `allowed`. */
export function allowedBytes(allowed: RegExp): Uint8Array {
  let table = tables.get(allowed);
  if (table === undefined) {
    table = Uint8Array.from({ length: 256 }, (_, byte) =>
      Number(/[A-Za-z0-9]/.test(String.fromCharCode(byte)) || allowed.test(String.fromCharCode(byte))),
    );
    tables.set(allowed, table);
  }
  return table;
}
