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

// oxlint-disable-next-line no-control-regex -- these are what is replaced
const escaped = /[\u0007\b\f\n\r\t\v\\"]/g;

/** A string as a literal of CEL in double quotes; other characters stand as they are. */
export function quoteText(text: string): string {
  return `"${text.toWellFormed().replace(escaped, (character) => escapes.get(character) ?? character)}"`;
}
