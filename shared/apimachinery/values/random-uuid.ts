import { randomFillSync } from 'node:crypto';

const uuidBytes = 16;
/** Random bytes are drawn for so many UUIDs at once. */
const drawn = 64;
const bytes = Buffer.alloc(uuidBytes * drawn);
let at = bytes.length;

const digits = Buffer.from('0123456789abcdef');
const text = Buffer.from('00000000-0000-0000-0000-000000000000');
/** Where the two digits of each byte are. */
const places = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

/**
 * A random UUID (RFC 9562 section 5.4) as flat text. That of `crypto.randomUUID` is put together of 20 texts, which
 * every writer that it passes has to join.
 */
export function randomUuid(): string {
  if (at === bytes.length) {
    randomFillSync(bytes);
    at = 0;
  }
  for (let index = 0; index < uuidBytes; index++) {
    const byte = bytes[at + index] as number;
    const place = places[index] as number;
    text[place] = digits[byte >>> 4] as number;
    text[place + 1] = digits[byte & 0xf] as number;
  }
  at += uuidBytes;
  // The version, and the two bits of the variant.
  text[14] = 0x34;
  text[19] = digits[0x8 | ((bytes[at - 8] as number) >>> 6)] as number;
  return text.toString('latin1');
}
