import { bytesOfText, textOfBytes } from '#shared/apimachinery/text/byte-text.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';

/** A malformed path: the reference's HTTP server refuses it before any handler runs. */
export class MalformedPathError extends Error {
  override readonly name = 'MalformedPathError';
}

/** Matches escapes and bytes beyond ASCII (one character per byte). */
const coded = /[%\x80-\xff]/;

/**
 * Decodes the escapes of a path as UTF-8, so that all spellings of a path become the same text.
 * @throws MalformedPathError for broken escapes
 */
export function decodePath(path: string): string {
  if (!coded.test(path)) return path;
  if (/%(?![0-9a-fA-F]{2})/.test(path)) throw new MalformedPathError(`invalid URL escape in ${goQuote(path)}`);
  return textOfBytes(decodePathBytes(path));
}

/**
 * Decodes the escapes of a path into a string with one character per byte; the bytes need not be UTF-8. Broken escapes
 * stay as they are.
 */
export function decodePathBytes(path: string): string {
  const bytes = Buffer.from(path, 'latin1');
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    const [high, low] = byte === percent ? [hexDigit(bytes[at + 1]), hexDigit(bytes[at + 2])] : [-1, -1];
    if (high >= 0 && low >= 0) at += 2;
    bytes[length++] = high >= 0 && low >= 0 ? high * 16 + low : byte;
  }
  return bytes.toString('latin1', 0, length);
}

const percent = 0x25;

/** The value of a hexadecimal digit; -1 for other bytes. */
function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** The characters that Go does not escape in a path (net/url, EscapedPath of a URL that has no RawPath). */
const plainPath = /^[A-Za-z0-9$&+,./:;=@_~-]*$/;
const escapedInPath = /[^A-Za-z0-9$&+,./:;=@_~-]/g;
const escapedInQuery = /[^A-Za-z0-9._~-]/g;

/** Encodes a decoded path for a backend, in a form that every reader decodes to the path that was authorized. */
export function encodePath(path: string): string {
  return plainPath.test(path) ? path : encodePathBytes(bytesOfText(path));
}

/** As {@link encodePath}, for a path with one character per byte. */
export function encodePathBytes(path: string): string {
  return percentEncode(path, escapedInPath);
}

/** Go ignores a query with more parameters (net/url, urlmaxqueryparams). */
const maxParameters = 10_000;

/** Whether a query has too many parameters, so that all of it is ignored. */
export function hasTooManyParameters(query: string): boolean {
  let count = 1;
  for (let at = query.indexOf('&'); at >= 0; at = query.indexOf('&', at + 1)) if (++count > maxParameters) return true;
  return false;
}

/**
 * A query as Go re-encodes it (url.Values.Encode): without pairs that have a semicolon or a broken escape, sorted by
 * key, and with uniform escapes.
 */
export function encodeQuery(query: string): string {
  if (query === '' || hasTooManyParameters(query)) return '';
  const pairs: { readonly key: string; readonly text: string }[] = [];
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';') || /%(?![0-9a-fA-F]{2})/.test(pair)) continue;
    const mark = pair.indexOf('=');
    const key = unescapeQuery(mark < 0 ? pair : pair.slice(0, mark));
    const value = mark < 0 ? '' : unescapeQuery(pair.slice(mark + 1));
    pairs.push({ key, text: `${escapeQuery(key)}=${escapeQuery(value)}` });
  }
  return pairs
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ text }) => text)
    .join('&');
}

/** Decodes escapes into one character per byte, so that bytes that are not UTF-8 are kept. */
export function unescapeQuery(text: string): string {
  return text.replace(/\+|%([0-9a-fA-F]{2})/g, (_match, hex: string | undefined) =>
    hex === undefined ? ' ' : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function escapeQuery(bytes: string): string {
  return percentEncode(bytes, escapedInQuery).replaceAll('%20', '+');
}

function percentEncode(bytes: string, escaped: RegExp): string {
  return bytes.replace(escaped, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}
