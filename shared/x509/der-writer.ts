import { Buffer } from 'node:buffer';

/**
 * The few ASN.1 DER forms that X.509 needs (X.690). A certificate library costs 105 ms to import, which the first start
 * would pay; these encoders cost nothing.
 */
function tagged(tag: number, ...contents: Uint8Array[]): Buffer {
  const body = contents.length === 1 ? contents[0]! : Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, ...lengthOctets(body.length)]), body]);
}

function lengthOctets(length: number): number[] {
  if (length < 0x80) return [length];
  const octets: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) octets.unshift(rest & 0xff);
  return [0x80 | octets.length, ...octets];
}

export function sequence(...items: Uint8Array[]): Buffer {
  return tagged(0x30, ...items);
}

export function set(...items: Uint8Array[]): Buffer {
  return tagged(0x31, ...items);
}

/** A non-negative integer, most significant octet first. */
export function integer(octets: Uint8Array): Buffer {
  let start = 0;
  while (start < octets.length - 1 && octets[start] === 0) start++;
  const minimal = octets.subarray(start);
  return (minimal[0] ?? 0) & 0x80 ? tagged(0x02, Buffer.from([0]), minimal) : tagged(0x02, minimal);
}

export function derBoolean(value: boolean): Buffer {
  return tagged(0x01, Buffer.from([value ? 0xff : 0]));
}

export function octetString(contents: Uint8Array): Buffer {
  return tagged(0x04, contents);
}

/** `unusedBits`: the number of low bits of the last octet that are not part of the string. */
export function bitString(contents: Uint8Array, unusedBits = 0): Buffer {
  return tagged(0x03, Buffer.from([unusedBits]), contents);
}

export function utf8String(text: string): Buffer {
  return tagged(0x0c, Buffer.from(text, 'utf8'));
}

/** UTCTime up to 2049, GeneralizedTime from 2050 on, as RFC 5280 section 4.1.2.5 requires. Whole seconds. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  return date.getUTCFullYear() < 2050
    ? tagged(0x17, Buffer.from(digits.slice(2), 'ascii'))
    : tagged(0x18, Buffer.from(digits, 'ascii'));
}

/** Dotted decimal notation, `2.5.4.3`. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const octets = [first * 40 + second];
  for (const arc of rest) octets.push(...base128(arc));
  return tagged(0x06, Buffer.from(octets));
}

function base128(arc: number): number[] {
  const octets = [arc & 0x7f];
  for (let rest = arc >>> 7; rest > 0; rest >>>= 7) octets.unshift((rest & 0x7f) | 0x80);
  return octets;
}

/** Context-specific tag. `constructed` wraps DER (EXPLICIT or a structure), otherwise raw contents (IMPLICIT). */
export function context(number: number, contents: Uint8Array, constructed: boolean): Buffer {
  return tagged((constructed ? 0xa0 : 0x80) | number, contents);
}
