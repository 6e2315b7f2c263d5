/** The white space of Go's unicode.IsSpace, as a class of a pattern: JavaScript's has U+FEFF, but not U+0085. */
export const goSpace = String.raw`[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`;

const spacesInFront = new RegExp(`^${goSpace}+`);
const oneSpace = new RegExp(`^${goSpace}$`);
const beyondAscii = /[\u0080-\uffff]/;

/** Go's strings.TrimSpace. */
export function trimSpace(text: string): string {
  // Of ASCII, both languages trim the same characters.
  if (!beyondAscii.test(text)) return text.trim();
  let end = text.length;
  while (end > 0 && oneSpace.test(text.charAt(end - 1))) end--;
  return text.slice(0, end).replace(spacesInFront, '');
}
