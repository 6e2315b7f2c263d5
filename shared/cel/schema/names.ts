/** Words that an expression cannot have for the name of a field (k8s.io/apiserver/pkg/cel, escaping.go). */
const reserved: ReadonlySet<string> = new Set([
  'true',
  'false',
  'null',
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
]);
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
 * The name by which expressions know a property: `my-field` is `my__dash__field`. Undefined for a property that they
 * cannot name.
 */
export function escapeName(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`;
  if (simple.test(name) && !name.includes('__')) return name;
  return escapable.test(name) ? name.replaceAll(/__|[-./]/g, (part) => escapes.get(part) ?? part) : undefined;
}

/** Whether a name is a word of the language. */
export function isReservedName(name: string): boolean {
  return reserved.has(name);
}

/** The property that an escaped name stands for; undefined where it stands for none. */
export function unescapeName(escaped: string): string | undefined {
  if (!escaped.includes('__')) return escaped;
  let broken = false;
  const name = escaped.replaceAll(/__[^_]+__/g, (part) => {
    const text = unescapes.get(part);
    if (text !== undefined) return text;
    const word = part.slice(2, -2);
    broken ||= !reserved.has(word) || part !== escaped;
    return word;
  });
  return broken ? undefined : name;
}
