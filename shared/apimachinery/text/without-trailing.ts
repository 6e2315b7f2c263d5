/**
 * The text without all repetitions of a character at its end. (`/0+$/` takes quadratic time for many zeros that are not
 * at the end.)
 */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
