import { Buffer } from 'node:buffer';

/** Text that is not valid base64; the message is Go's. */
export class Base64Error extends Error {
  /** Offset in bytes of the first fault. */
  readonly offset: number;

  constructor(offset: number) {
    super(`illegal base64 data at input byte ${offset}`);
    this.name = 'Base64Error';
    this.offset = offset;
  }
}

const CANONICAL = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Decodes as Go's base64.StdEncoding: padding is required, line breaks are ignored, unused bits may be set.
 * Node's own decoder takes anything, hence the check.
 * @throws Base64Error
 */
export function decodeBase64(text: string): Buffer {
  if (!CANONICAL.test(text)) checkBase64(text);
  return Buffer.from(text, 'base64');
}

/** The text that Go writes for the bytes that this text encodes. @throws Base64Error */
export function canonicalBase64(text: string): string {
  // Whole groups without padding have no unused bits and thus one spelling.
  if (text.length % 4 === 0 && !text.endsWith('=') && CANONICAL.test(text)) return text;
  return decodeBase64(text).toString('base64');
}

/** Walks groups of four as Go does and throws at Go's offset. */
function checkBase64(text: string): void {
  const source = Buffer.from(text, 'utf8');
  let at = 0;
  let inGroup = 0;
  for (; at < source.length; at++) {
    const byte = source[at] ?? 0;
    if (isBreak(byte)) continue;
    if (byte === 0x3d) return checkPadding(source, at, inGroup);
    if (!isAlphabet(byte)) throw new Base64Error(at);
    inGroup = (inGroup + 1) % 4;
  }
  if (inGroup !== 0) throw new Base64Error(at - inGroup);
}

function checkPadding(source: Buffer, first: number, inGroup: number): void {
  if (inGroup < 2) throw new Base64Error(first);
  let at = first + 1;
  if (inGroup === 2) {
    const second = skipBreaks(source, at);
    if (second === source.length) throw new Base64Error(source.length);
    if (source[second] !== 0x3d) throw new Base64Error(second - 1);
    at = second + 1;
  }
  at = skipBreaks(source, at);
  if (at < source.length) throw new Base64Error(at);
}

function skipBreaks(source: Buffer, from: number): number {
  let at = from;
  while (at < source.length && isBreak(source[at] ?? 0)) at++;
  return at;
}

function isBreak(byte: number): boolean {
  return byte === 0x0a || byte === 0x0d;
}

function isAlphabet(byte: number): boolean {
  return (
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2b ||
    byte === 0x2f
  );
}
