/** A query as Go's net/url writes it: it escapes `*`, and leaves `~`. */
export function goQuery(query: URLSearchParams): string {
  return query.toString().replaceAll('*', '%2A').replaceAll('%7E', '~');
}

/**
 * The values of a key in a query as sent, as `key=value` with `&` between. Bytes that are no UTF-8 stay what they are,
 * which they do not in URLSearchParams: a command may have such. As by Go, parts with `;` or a broken escape are passed
 * over.
 */
export function goQueryOf(sent: string, key: string): string {
  const said: string[] = [];
  for (const part of sent.split('&')) {
    if (/;|%(?![\da-f]{2})/i.test(part)) continue;
    const mark = part.indexOf('=');
    if (bytesOf(mark < 0 ? part : part.slice(0, mark)) === key)
      said.push(`${key}=${escapeBytes(bytesOf(mark < 0 ? '' : part.slice(mark + 1)))}`);
  }
  return said.join('&');
}

/** A character for each byte. */
function bytesOf(text: string): string {
  return text
    .replaceAll('+', ' ')
    .replace(/%([\da-f]{2})/gi, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

function escapeBytes(bytes: string): string {
  return bytes.replace(/[^\w.~-]/g, (byte) =>
    byte === ' ' ? '+' : `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
