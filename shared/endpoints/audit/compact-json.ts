import { Buffer } from 'node:buffer';

const quote = 0x22;
const backslash = 0x5c;
/** Bytes of a string that Go's encoder escapes: `<`, `>`, `&`, and the first of U+2028 and U+2029. */
const escaped: ReadonlyMap<number, string> = new Map([
  [0x3c, String.raw`\u003c`],
  [0x3e, String.raw`\u003e`],
  [0x26, String.raw`\u0026`],
]);

/**
 * JSON without blanks, with HTML characters escaped, as Go's encoder writes raw messages; the rest stays as it was.
 * The text must be valid. The result may be the same bytes.
 */
export function compactJson(json: Buffer): Buffer {
  if (!needsWork(json)) return json;
  const parts: Uint8Array[] = [];
  let start = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number;
    const text = inString ? escapeAt(json, at) : undefined;
    if (text !== undefined || (!inString && byte <= 0x20)) {
      if (at > start) parts.push(json.subarray(start, at));
      if (text !== undefined) parts.push(Buffer.from(text));
      if (text !== undefined && byte === 0xe2) at += 2;
      start = at + 1;
    } else if (inString && byte === backslash) at++;
    else if (byte === quote) inString = !inString;
  }
  if (start < json.length) parts.push(json.subarray(start));
  return Buffer.concat(parts);
}

function escapeAt(json: Buffer, at: number): string | undefined {
  const byte = json[at] as number;
  if (byte !== 0xe2) return escaped.get(byte);
  if (json[at + 1] !== 0x80) return undefined;
  if (json[at + 2] === 0xa8) return String.raw`\u2028`;
  return json[at + 2] === 0xa9 ? String.raw`\u2029` : undefined;
}

function needsWork(json: Buffer): boolean {
  for (const byte of json) if (byte <= 0x20 || byte === 0xe2 || escaped.has(byte)) return true;
  return false;
}
