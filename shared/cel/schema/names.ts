import { isLanguageWord } from '#shared/cel/syntax/reserved-names.ts';

const escapes: ReadonlyMap<string, string> = new Map([
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
]);
const unescapes: ReadonlyMap<string, string> = new Map([...escapes].map(([text, escaped]) => [escaped, text]));
const simple = /^[A-Za-z_][A-Za-z0-9_]*$/;
const escapable = /^[A-Za-z_./-][A-Za-z0-9_./-]*$/;

/**
 * The escaped name of a property in expressions: `my-field` is `my__dash__field`. Undefined if expressions cannot name
 * the property.
 */
export function escapeName(name: string): string | undefined {
  if (isLanguageWord(name)) return `__${name}__`;
  if (simple.test(name) && !name.includes('__')) return name;
  return escapable.test(name) ? name.replaceAll(/__|[-./]/g, (part) => escapes.get(part) ?? part) : undefined;
}

/** The property that an escaped name refers to; undefined if it refers to none. */
export function unescapeName(escaped: string): string | undefined {
  if (!escaped.includes('__')) return escaped;
  let broken = false;
  const name = escaped.replaceAll(/__[^_]+__/g, (part) => {
    const text = unescapes.get(part);
    if (text !== undefined) return text;
    const word = part.slice(2, -2);
    broken ||= !isLanguageWord(word) || part !== escaped;
    return word;
  });
  return broken ? undefined : name;
}
