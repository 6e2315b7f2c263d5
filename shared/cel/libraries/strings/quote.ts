const escapes: ReadonlyMap<string, string> = new Map([
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
  ['"', '\\"'],
]);

// oxlint-disable-next-line no-control-regex -- control characters are replaced
const escaped = /[\u0007\b\f\n\r\t\v\\"]/g;

/** A string as a CEL literal in double quotes. Only quotes, backslashes and some control characters are escaped. */
export function quoteText(text: string): string {
  return `"${text.toWellFormed().replace(escaped, (character) => escapes.get(character) ?? character)}"`;
}
