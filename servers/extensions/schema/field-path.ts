import { childOf, Path } from '#shared/apimachinery/errors/field-error.ts';
import type { SchemaNode } from './schema-node.ts';

const escapes: ReadonlyMap<string, string> = new Map([
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ["'", "'"],
  ['\\', '\\'],
]);

/** Why a path is invalid, worded as in the reference. */
export class FieldPathError extends Error {}

/**
 * Follows a path of fields (`.spec.limits['memory']`) down a schema (apiextensions-apiserver/pkg/apiserver/schema/cel,
 * ValidFieldPath). Brackets hold one whole name; `brackets: false` forbids them.
 * @throws FieldPathError
 */
export function followFieldPath(
  text: string,
  root: SchemaNode,
  { brackets = true } = {},
): { readonly path: Path | undefined; readonly schema: SchemaNode } {
  const tokens = tokensOf(text);
  let path: Path | undefined;
  let schema = root;
  for (let token = tokens.next(); token.done !== true; token = tokens.next()) {
    if (token.value !== '[' && token.value !== '.') throw new FieldPathError(`expected [ or . but got: ${token.value}`);
    if (token.value === '[' && !brackets) throw new FieldPathError('array notation is not allowed');
    const step = taken(tokens);
    const name = token.value === '[' ? unquoted(step) : step;
    const isNamed = schema.properties.size > 0;
    const below = isNamed ? schema.properties.get(name) : schema.additional;
    if (below === undefined) throw new FieldPathError('does not refer to a valid field');
    path = isNamed ? childOf(path, name) : keyOf(path, name);
    schema = below;
    if (token.value === '.') continue;
    const end = taken(tokens);
    if (end !== ']') throw new FieldPathError(`expected ] but got ${end}`);
  }
  return { path, schema };
}

function keyOf(path: Path | undefined, name: string): Path {
  return path?.key(name) ?? new Path(`[${name}]`);
}

function taken(tokens: Iterator<string>): string {
  const next = tokens.next();
  if (next.done === true) throw new FieldPathError('unexpected end of JSON path');
  return next.value;
}

/**
 * Splits a path into dots, brackets and the texts between them. A token that begins with a single quote extends to the
 * closing quote.
 */
function* tokensOf(text: string): Generator<string, undefined> {
  for (const [token] of text.matchAll(/[.[\]]|'(?:[^']|(?<=\\)')*(?:(?<!\\)'|$)|[^.[\]]+/g)) yield token;
  return undefined;
}

function unquoted(token: string): string {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'"))
    throw new FieldPathError(`expected single quoted string but got ${token}`);
  return token.slice(1, -1).replaceAll(/\\./g, (escape) => {
    const char = escapes.get(escape.slice(1));
    if (char === undefined) throw new FieldPathError(`invalid string literal: invalid escape char ${escape}`);
    return char;
  });
}
