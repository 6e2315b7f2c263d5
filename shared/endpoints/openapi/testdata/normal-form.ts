import { createHash } from 'node:crypto';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * A document without what its meaning does not hang on: the order of keys and of parameters, an `allOf` around a lone
 * `$ref`, and v2's shared parameters, which are put back into their places; without texts, if they are not wanted.
 */
export function normalForm(document: Json, withTexts: boolean): Json {
  const shared =
    isObject(document) && isObject(document['parameters'] ?? null)
      ? (document['parameters'] as Record<string, Json>)
      : {};
  const walk = (value: Json, key?: string): Json => {
    if (Array.isArray(value)) {
      const items = value.map((item) => walk(item));
      return key === 'parameters' || key === 'required'
        ? items.toSorted((a, b) => (text(a) < text(b) ? -1 : 1))
        : items;
    }
    if (!isObject(value)) return value;
    const ref = value['$ref'];
    if (typeof ref === 'string' && ref.startsWith('#/parameters/')) return walk(shared[ref.slice(13)] ?? null);
    const entries = Object.entries(value)
      .filter(([name, inner]) => withTexts || !(name === 'description' && typeof inner === 'string'))
      .map(([name, inner]): [string, Json] => [name, walk(inner, name)])
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    const [only] = entries;
    if (entries.length === 1 && only?.[0] === 'allOf' && Array.isArray(only[1])) return only[1][0] ?? null;
    return Object.fromEntries(entries);
  };
  if (!isObject(document)) return document;
  const { parameters: _, ...rest } = document;
  return walk(rest);
}

/** Digests of a document without its texts, and with them. */
export interface Digests {
  readonly structure: string;
  readonly texts: string;
}

export function digestsOf(document: Json): Digests {
  return { structure: digest(normalForm(document, false)), texts: digest(normalForm(document, true)) };
}

function digest(value: Json): string {
  return createHash('sha256').update(text(value)).digest('hex');
}

function text(value: Json): string {
  return JSON.stringify(value);
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
