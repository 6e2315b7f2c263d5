import { isUtf8 } from 'node:buffer';

/**
 * Texts of bytes that need not be UTF-8: header values, paths, queries, tokens. Go's strings hold any bytes, so two
 * texts with different faulty bytes differ, and JSON shows U+FFFD for each of these bytes. Here a byte that belongs to
 * no valid character becomes a lone surrogate, U+DC80 to U+DCFF. It equals nothing but itself, and writers of JSON
 * make U+FFFD of it, as of all lone surrogates.
 */

const beyondAscii = /[\x80-\xff]/;

/** The text of bytes that come as one character each (Latin-1). Plain ASCII, as nearly all are, is returned as is. */
export function textOfBytes(bytes: string): string {
  return beyondAscii.test(bytes) ? textOfBuffer(Buffer.from(bytes, 'latin1')) : bytes;
}

export function textOfBuffer(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const size = characterSize(bytes, at);
    text +=
      size === 0 ? String.fromCharCode(firstStandIn + (bytes[at] as number)) : bytes.toString('utf8', at, at + size);
    at += size || 1;
  }
  return text;
}

/** The bytes of a text, one character for each: the reverse of {@link textOfBytes}. */
export function bytesOfText(text: string): string {
  return beyondAsciiText.test(text)
    ? text
        .split(standIns)
        .map((part, at) => (at % 2 === 0 ? Buffer.from(part, 'utf8').toString('latin1') : ofStandIn(part)))
        .join('')
    : text;
}

/** The byte for which a lone surrogate stands; -1 for other characters. */
export function byteOfStandIn(code: number): number {
  return code >= 0xdc80 && code <= 0xdcff ? code - firstStandIn : -1;
}

const firstStandIn = 0xdc00;
// oxlint-disable-next-line no-control-regex -- ASCII begins with control characters
const beyondAsciiText = /[^\0-\x7f]/;
const standIns = /([\udc80-\udcff])/u;

function ofStandIn(character: string): string {
  return String.fromCharCode(byteOfStandIn(character.charCodeAt(0)));
}

/** Length in bytes of the valid character at a position, 0 where there is none. */
function characterSize(bytes: Buffer, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  return at + size <= bytes.length && isUtf8(bytes.subarray(at, at + size)) ? size : 0;
}
