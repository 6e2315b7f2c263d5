/** The value of a string or bytes token. */
export type Unescaped = { readonly text: string } | { readonly bytes: Uint8Array } | { readonly error: string };

const simple = new Map<string, number>([
  ['a', 7],
  ['b', 8],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['v', 11],
  ['\\', 92],
  ["'", 39],
  ['"', 34],
  ['`', 96],
  ['?', 63],
]);
const escape = /\\(?:([abfnrtv\\'"`?])|[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2}))/y;

/** Removes quotes and resolves escapes. `\x` and octal escapes are code points in strings, and bytes in bytes. */
export function unescapeLiteral(token: string, isBytes: boolean): Unescaped {
  let value = (isBytes ? token.slice(1) : token).replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const raw = value.startsWith('r') || value.startsWith('R');
  if (raw) value = value.slice(1);
  value =
    value.length >= 6 && (value.startsWith("'''") || value.startsWith('"""')) ? value.slice(3, -3) : value.slice(1, -1);
  if (raw || !value.includes('\\')) return isBytes ? { bytes: Buffer.from(value) } : { text: value };
  const bytes: Buffer[] = [];
  let text = '';
  for (let at = 0; at < value.length;) {
    const next = value.indexOf('\\', at);
    const end = next < 0 ? value.length : next;
    if (end > at) {
      if (isBytes) bytes.push(Buffer.from(value.slice(at, end)));
      else text += value.slice(at, end);
    }
    if (next < 0) break;
    escape.lastIndex = next;
    const found = escape.exec(value);
    if (found === null) return { error: 'unable to unescape string' };
    at = escape.lastIndex;
    const [, letter, byte, short, long, octal] = found;
    if (isBytes && (short !== undefined || long !== undefined)) return { error: 'unable to unescape string' };
    const code =
      letter === undefined
        ? Number.parseInt(byte ?? short ?? long ?? octal ?? '', octal === undefined ? 16 : 8)
        : (simple.get(letter) ?? 0);
    if (isBytes) {
      bytes.push(Buffer.from([code & 0xff]));
    } else {
      if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return { error: 'invalid unicode code point' };
      text += String.fromCodePoint(code);
    }
  }
  return isBytes ? { bytes: Buffer.concat(bytes) } : { text };
}
