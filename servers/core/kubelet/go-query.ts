/** A query as Go's net/url writes it, which escapes `*` but not `~`. */
export function goQuery(query: URLSearchParams): string {
  return query.toString().replaceAll('*', '%2A').replaceAll('%7E', '~');
}

/**
 * The values of a key in the query as sent, as `key=value` joined by `&`. Unlike URLSearchParams, this keeps bytes that
 * are not UTF-8, which a command may contain. Like Go, it skips parts with `;` or an invalid escape.
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

/** Decodes a query text; the result has one character for each byte. */
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
