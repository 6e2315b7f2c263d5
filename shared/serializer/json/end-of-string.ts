/**
 * The position after the closing quote of the JSON string that begins at `start`; undefined where the string is not
 * closed. A regular expression would keep a backtracking point for each character or escape: with 12 MB it runs out of
 * stack.
 */
export function endOfString(text: string, start: number): number | undefined {
  for (let from = start + 1; ;) {
    const at = text.indexOf('"', from);
    if (at < 0) return undefined;
    let escapes = 0;
    while (text.charCodeAt(at - escapes - 1) === 0x5c) escapes++;
    if (escapes % 2 === 0) return at + 1;
    from = at + 1;
  }
}
