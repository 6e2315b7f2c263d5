/** What stands for each character that means something in HTML, as Go writes it (html.EscapeString, net/http). */
export const htmlEscapes: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&#34;'],
  ["'", '&#39;'],
]);
