import { textOfBytes } from '#shared/apimachinery/text/byte-text.ts';
import { hasTooManyParameters, unescapeQuery } from './request-path.ts';

/** The decoded parameters of a query. Repeated keys keep all values. */
export interface QueryParameters {
  /** Number of values. */
  readonly size: number;
  /** The first value of a key; null if there is none. */
  get(key: string): string | null;
  getAll(key: string): string[];
  has(key: string): boolean;
}

/**
 * Reads a query, which has one character for each byte, as Go does (net/url, ParseQuery): pairs with a semicolon or a
 * broken escape are ignored. URLSearchParams would make one character of several faulty bytes, and read bytes beyond
 * ASCII that are not escaped as Latin-1.
 */
export function readQuery(query: string): QueryParameters {
  if (query === '' || hasTooManyParameters(query)) return noParameters;
  const pairs: [key: string, value: string][] = [];
  for (const pair of query.split('&')) {
    if (pair === '' || broken.test(pair)) continue;
    const mark = pair.indexOf('=');
    pairs.push(mark < 0 ? [decoded(pair), ''] : [decoded(pair.slice(0, mark)), decoded(pair.slice(mark + 1))]);
  }
  return new ReadParameters(pairs);
}

const broken = /;|%(?![0-9a-fA-F]{2})/;
const coded = /[+%\x80-\xff]/;

function decoded(text: string): string {
  return coded.test(text) ? textOfBytes(unescapeQuery(text)) : text;
}

class ReadParameters implements QueryParameters {
  readonly size: number;
  readonly #values = new Map<string, string[]>();

  constructor(pairs: readonly (readonly [key: string, value: string])[]) {
    this.size = pairs.length;
    for (const [key, value] of pairs) {
      const values = this.#values.get(key);
      if (values === undefined) this.#values.set(key, [value]);
      else values.push(value);
    }
  }

  get(key: string): string | null {
    return this.#values.get(key)?.[0] ?? null;
  }

  getAll(key: string): string[] {
    return this.#values.get(key)?.slice() ?? [];
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }
}

export const noParameters: QueryParameters = new ReadParameters([]);
