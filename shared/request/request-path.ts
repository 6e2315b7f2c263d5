/** A path that is none: the reference's HTTP server refuses it before anybody sees it. */
export class MalformedPathError extends Error {
  override readonly name = 'MalformedPathError';
}

/** Bytes beyond ASCII, which stand one to a character here, or escapes. */
const coded = /[%\x80-\xff]/;

/**
 * What the escapes of a path stand for, read as UTF-8; every spelling of a path is one text from here on.
 * @throws MalformedPathError for broken escapes
 */
export function decodePath(path: string): string {
  if (!coded.test(path)) return path;
  if (/%(?![0-9a-fA-F]{2})/.test(path)) throw new MalformedPathError(`invalid URL escape in ${JSON.stringify(path)}`);
  // Go keeps bytes that are not UTF-8. No name can contain them here.
  return Buffer.from(decodePathBytes(path), 'latin1').toString('utf8');
}

/**
 * Decodes the escapes of a path into a string of one byte a character, which need not be UTF-8. Broken escapes stay as
 * they are.
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

/** The value of a digit; -1 for what is none. */
function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** What Go leaves as it is in a path (net/url, EscapedPath of a URL that has no RawPath). */
const plainPath = /^[A-Za-z0-9$&+,./:;=@_~-]*$/;
const escapedInPath = /[^A-Za-z0-9$&+,./:;=@_~-]/g;
const escapedInQuery = /[^A-Za-z0-9._~-]/g;

/** Encodes a decoded path for a backend, in a form that every reader decodes to the path that was authorized. */
export function encodePath(path: string): string {
  return plainPath.test(path) ? path : encodePathBytes(Buffer.from(path, 'utf8').toString('latin1'));
}

/** The same for a path of bytes, one to a character. */
export function encodePathBytes(path: string): string {
  return percentEncode(path, escapedInPath);
}

/** Go reads nothing of a query that has more (net/url, urlmaxqueryparams). */
const mostParameters = 10_000;

/** Nothing of such a query counts. */
export function hasTooManyParameters(query: string): boolean {
  let count = 1;
  for (let at = query.indexOf('&'); at >= 0; at = query.indexOf('&', at + 1)) if (++count > mostParameters) return true;
  return false;
}

/**
 * A query as Go sends on what it could read of it (url.Values.Encode): pairs with a semicolon or a broken escape are
 * gone, the others are sorted by their keys and spelled in one way.
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

/** Bytes, one to a character: what is no UTF-8 stays as it is. */
function unescapeQuery(text: string): string {
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
