import { newBadRequest } from '#shared/apimachinery/errors/status.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { type Int64, toInt64 } from '#shared/apimachinery/values/int64.ts';
import { isTrueParameter } from '#shared/request/parse-request-info.ts';
import type { QueryParameters } from '#shared/request/query-parameters.ts';

const maxInt64 = 2n ** 63n - 1n;
const minInt64 = -(2n ** 63n);

/**
 * The first value of a query parameter as an int64; undefined where the key is absent. Throws 400 in the words of Go's
 * parser.
 */
export function int64Parameter(query: QueryParameters, key: string): Int64 | undefined {
  const text = query.get(key);
  if (text === null) return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw newBadRequest(`strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax`);
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  if (value > maxInt64 || value < minInt64)
    throw newBadRequest(`strconv.ParseInt: parsing ${goQuote(text)}: value out of range`);
  return toInt64(value);
}

/** The first value of a query parameter as a boolean; undefined where the key is absent. */
export function booleanParameter(query: QueryParameters, key: string): boolean | undefined {
  const text = query.get(key);
  return text === null ? undefined : isTrueParameter(text);
}

/** The first value of a query parameter; empty where the key is absent. */
export function textParameter(query: QueryParameters, key: string): string {
  return query.get(key) ?? '';
}
