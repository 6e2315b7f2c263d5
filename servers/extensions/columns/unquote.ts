const escapes: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['b', 8],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['v', 11],
  ['\\', 92],
]);

const pieces = /\\(?:x([\da-fA-F]{2})|([0-3][0-7]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([^xuU0-7]))|([^\\]+)/y;

/**
 * The text that Go's strconv.UnquoteChar reads between quotes; undefined for a broken one. `\x` and octal numbers are
 * bytes, of which several may make one character.
 */
export function unquote(text: string, quote: string): string | undefined {
  if (!text.includes('\\')) return text;
  const bytes: Buffer[] = [];
  pieces.lastIndex = 0;
  while (pieces.lastIndex < text.length) {
    const piece = pieces.exec(text);
    const read = piece === null ? undefined : bytesOf(piece, quote);
    if (read === undefined) return undefined;
    bytes.push(read);
  }
  return Buffer.concat(bytes).toString();
}

function bytesOf(piece: RegExpExecArray, quote: string): Buffer | undefined {
  const [, hex, octal, short, long, letter, plain] = piece;
  if (plain !== undefined) return plain.includes(quote) ? undefined : Buffer.from(plain);
  if (hex !== undefined) return Buffer.of(Number.parseInt(hex, 16));
  if (octal !== undefined) return Buffer.of(Number.parseInt(octal, 8));
  if (letter !== undefined) {
    const byte = letter === quote ? quote.charCodeAt(0) : escapes.get(letter);
    return byte === undefined ? undefined : Buffer.of(byte);
  }
  const rune = Number.parseInt(short ?? long ?? '', 16);
  return rune > 0x10_ffff || (rune >= 0xd800 && rune < 0xe000) ? undefined : Buffer.from(String.fromCodePoint(rune));
}
