import { getKey } from '#shared/apimachinery/json/json.ts';
import type { Exchange } from './exchange.ts';

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

/** The value of a header; the first one if it is repeated. Empty if absent. `name` in lower case. */
export function headerValue(exchange: Exchange, name: string): string {
  const value = getKey(exchange.headers, name);
  if (value === undefined) return '';
  if (typeof value !== 'string') return value[0] ?? '';
  return exchange.rawHeaders !== undefined && value.includes(',') ? (headerValues(exchange, name)[0] ?? value) : value;
}
