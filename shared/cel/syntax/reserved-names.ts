/** Names that may be fields, never variables or functions (the language definition's RESERVED). */
export const reservedNames: ReadonlySet<string> = new Set([
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
/** All words of the language: the reserved names, the literals and the operator `in`. */
const languageWords: ReadonlySet<string> = new Set(['true', 'false', 'null', 'in', ...reservedNames]);

/** Whether a name is reserved: variables cannot have it, and fields with this name must be escaped. */
export function isLanguageWord(name: string): boolean {
  return languageWords.has(name);
}
