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
  let start = 0;
  for (let at = 0; at < bytes.length;) {
    const size = characterSize(bytes, at);
    if (size === 0) {
      text += bytes.toString('utf8', start, at) + String.fromCharCode(firstStandIn + (bytes[at] as number));
      start = at + 1;
    }
    at += size || 1;
  }
  return text + bytes.toString('utf8', start);
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

/** Length in bytes of the valid character at a position, 0 where there is none (RFC 3629 section 4). */
function characterSize(bytes: Buffer, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  // The second byte rules out overlong forms, surrogates, and what lies beyond U+10FFFF.
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  const second = bytes[at + 1] ?? 0;
  if (second < low || second > high) return 0;
  for (let next = at + 2; next < at + size; next++) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  return size;
}
