import { isUtf8 } from 'node:buffer';
import { YamlFailure } from './failure.ts';

// oxlint-disable-next-line no-control-regex -- these are what is looked for
const refused = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;

/**
 * Decodes a document: UTF-8, or UTF-16 if it starts with a byte order mark for that.
 * @throws YamlFailure for invalid encoding and for characters that YAML does not allow
 */
export function decodeYaml(bytes: Uint8Array): string {
  const text = decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (refused.test(text)) throw new YamlFailure('yaml: control characters are not allowed');
  return text;
}

function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2);
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)))
      .swap16()
      .toString('utf16le');
  if (!isUtf8(bytes)) throw new YamlFailure(`yaml: ${utf8Fault(bytes)}`);
  const text = bytes.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** The lowest code point by number of bytes. */
const least = [0, 0, 0x80, 0x800, 0x10000];

/** The error for the first byte that is not part of a valid character (go-yaml's readerc.go). */
function utf8Fault(bytes: Buffer): string {
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] as number;
    const width =
      first < 0x80 ? 1 : (first & 0xe0) === 0xc0 ? 2 : (first & 0xf0) === 0xe0 ? 3 : (first & 0xf8) === 0xf0 ? 4 : 0;
    if (width === 0) return 'invalid leading UTF-8 octet';
    if (at + width > bytes.length) return 'incomplete UTF-8 octet sequence';
    const rest = bytes.subarray(at + 1, at + width);
    if (rest.some((byte) => (byte & 0xc0) !== 0x80)) return 'invalid trailing UTF-8 octet';
    const value = rest.reduce(
      (sum, byte) => sum * 64 + (byte & 0x3f),
      width === 1 ? first : first & (0xff >> (width + 1)),
    );
    if (width > 1 && value < (least[width] ?? 0)) return 'invalid length of a UTF-8 sequence';
    if ((value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff) return 'invalid Unicode character';
    at += width;
  }
  return 'invalid leading UTF-8 octet';
}
