import { getKey, setKey } from '#shared/apimachinery/json/json.ts';
import { bytesOfText, textOfBytes } from '#shared/apimachinery/text/byte-text.ts';
import type { Exchange, OutgoingHeaders } from './exchange.ts';
import { decodePath } from './request-path.ts';

/**
 * All values of a header that may be repeated, in order. Reads the raw list, since joined values cannot be split again
 * if a value contains a comma. `name` in lower case.
 */
export function headerValues(exchange: Exchange, name: string): readonly string[] {
  const joined = getKey(exchange.headers, name);
  if (joined === undefined) return [];
  const raw = exchange.rawHeaders;
  if (raw === undefined) return typeof joined === 'string' ? [joined] : joined;
  const values: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const key = raw[at];
    if (key !== undefined && key.length === name.length && key.toLowerCase() === name) values.push(raw[at + 1] ?? '');
  }
  return values;
}

/** The Content-Length of a request's body; undefined without one that is a number. */
export function announcedLength({ headers: { 'content-length': length } }: Exchange): string | undefined {
  return typeof length === 'string' && /^\d+$/.test(length) ? length : undefined;
}

/** The value of a header; the first one if it is repeated. Empty if absent. `name` in lower case. */
export function headerValue(exchange: Exchange, name: string): string {
  const value = getKey(exchange.headers, name);
  if (value === undefined) return '';
  if (typeof value !== 'string') return value[0] ?? '';
  return value.includes(',') && exchange.rawHeaders !== undefined ? (headerValues(exchange, name)[0] ?? value) : value;
}

/**
 * As {@link headerValues}, as texts. Headers are bytes, with one character for each here, and most are passed on as
 * they are: what becomes a text is decoded where it is read.
 */
export function headerTexts(exchange: Exchange, name: string): readonly string[] {
  return headerValues(exchange, name).map(textOfBytes);
}

/** As {@link headerValue}, as a text. */
export function headerText(exchange: Exchange, name: string): string {
  return textOfBytes(headerValue(exchange, name));
}

/** A key of a user's extra in a header's name: its escapes are decoded, unless one of them is broken. */
export function extraKey(escaped: string): string {
  try {
    return decodePath(escaped);
  } catch {
    return escaped;
  }
}

/** Adds a header to those of an answer; a repeated header has a list of values. `name` in lower case. */
export function addHeader(headers: OutgoingHeaders, name: string, value: string): void {
  const present = getKey(headers, name);
  if (present === undefined) setKey(headers, name, value);
  else setKey(headers, name, Array.isArray(present) ? [...present, value] : [String(present), value]);
}

/** The bytes that the reference escapes in a key (client-go/transport, headerKeyEscape): those of no header's name. */
const escapedInKey = /[^!#$&'*+.0-9A-Z^_`a-z|~-]/g;

/** A key of `extra` as the end of a header's name. */
export function escapeHeaderKey(key: string): string {
  return bytesOfText(key).replace(
    escapedInKey,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
