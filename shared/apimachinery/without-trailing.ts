/**
 * The text without that character at its end, however often it stands there. (`/0+$/` takes the square of the length of
 * many zeros elsewhere.)
 */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
