import { getKey, setKey } from '#shared/apimachinery/json/json.ts';
import type { Exchange, OutgoingHeaders } from './exchange.ts';

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
  return exchange.rawHeaders !== undefined && value.includes(',') ? (headerValues(exchange, name)[0] ?? value) : value;
}

/** Adds a header to those of an answer; a repeated header has a list of values. `name` in lower case. */
export function addHeader(headers: OutgoingHeaders, name: string, value: string): void {
  const present = getKey(headers, name);
  if (present === undefined) setKey(headers, name, value);
  else setKey(headers, name, Array.isArray(present) ? [...present, value] : [String(present), value]);
}
