/** The bytes are not the expected DER. */
export class DerError extends Error {
  override readonly name = 'DerError';
}

export interface DerElement {
  readonly tag: number;
  /** The element with its tag and length. */
  readonly whole: Buffer;
  readonly content: Buffer;
}

export const derTags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/**
 * Reads consecutive DER elements, as strictly as Go (golang.org/x/crypto/cryptobyte): lengths in their shortest form,
 * no tags of several bytes. Every method that reads throws {@link DerError}, in the words of Go's encoding/asn1.
 */
export class DerReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  next(): DerElement {
    const [start, tag, first] = [this.#at, this.#bytes[this.#at], this.#bytes[this.#at + 1]];
    if (tag === undefined) throw new DerError('asn1: syntax error: sequence truncated');
    if (first === undefined || (tag & 0x1f) === 0x1f) throw new DerError('asn1: syntax error: truncated tag or length');
    const longForm = first < 0x80 ? 0 : first & 0x7f;
    const content = start + 2 + longForm;
    const length = first < 0x80 ? first : longLength(this.#bytes.subarray(start + 2, content), longForm);
    const end = content + length;
    if (end > this.#bytes.length) throw new DerError('asn1: syntax error: data truncated');
    this.#at = end;
    return { tag, whole: this.#bytes.subarray(start, end), content: this.#bytes.subarray(content, end) };
  }

  /** The next element, which must have the tag. */
  take(tag: number): DerElement {
    const element = this.next();
    if (element.tag !== tag) throw new DerError("asn1: structure error: tags don't match");
    return element;
  }

  /** The next element if it has the tag. */
  optional(tag: number): DerElement | undefined {
    return this.#bytes[this.#at] === tag ? this.next() : undefined;
  }

  /** A reader for the content of the next element, which must have the tag. */
  inner(tag: number): DerReader {
    return new DerReader(this.take(tag).content);
  }

  sequence(): DerReader {
    return this.inner(derTags.sequence);
  }

  /** A bit string, shifted right by its number of padding bits. */
  bits(): Buffer {
    const { content } = this.take(derTags.bitString);
    const [padding = 8, bytes, last = 0] = [content[0], content.subarray(1), content.at(-1)];
    const isRight = bytes.length === 0 ? padding === 0 : padding < 8 && (last & ((1 << padding) - 1)) === 0;
    if (!isRight) throw new DerError('asn1: syntax error: invalid padding bits in BIT STRING');
    if (padding === 0) return bytes;
    return Buffer.from(
      (BigInt(`0x${bytes.toString('hex')}`) >> BigInt(padding)).toString(16).padStart(bytes.length * 2, '0'),
      'hex',
    );
  }

  /** An integer in its shortest form. */
  integer(): bigint {
    const { content } = this.take(derTags.integer);
    const [first, second] = content;
    if (first === undefined) throw new DerError('asn1: structure error: empty integer');
    const isLonger = second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80));
    if (isLonger) throw new DerError('asn1: structure error: integer not minimally-encoded');
    return BigInt.asIntN(content.length * 8, BigInt(`0x${content.toString('hex')}`));
  }

  boolean(): boolean {
    const { content } = this.take(derTags.boolean);
    if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff))
      throw new DerError('asn1: syntax error: invalid boolean');
    return content[0] === 0xff;
  }

  optionalBoolean(): boolean | undefined {
    return this.#bytes[this.#at] === derTags.boolean ? this.boolean() : undefined;
  }

  /** The content of an object identifier in hexadecimal. */
  identifier(): string {
    const { content } = this.take(derTags.objectIdentifier);
    if (content.length === 0 || (content.at(-1) ?? 0) >= 0x80 || !isBase128(content))
      throw new DerError('asn1: syntax error: base 128 integer too large');
    return content.toString('hex');
  }

  /** The identifier of an algorithm, which may be followed by one parameter. */
  algorithm(): string {
    const algorithm = this.sequence();
    const identifier = algorithm.identifier();
    if (!algorithm.isAtEnd()) algorithm.next();
    return identifier;
  }
}

/** A length of `count` bytes, in its shortest form. */
function longLength(bytes: Buffer, count: number): number {
  if (count === 0) throw new DerError('asn1: syntax error: indefinite length found (not DER)');
  let length = 0;
  for (const byte of bytes) {
    if (length >= 2 ** 23) throw new DerError('asn1: structure error: length too large');
    length = length * 0x100 + byte;
    if (length === 0) throw new DerError('asn1: structure error: superfluous leading zeros in length');
  }
  if (bytes.length < count) throw new DerError('asn1: syntax error: truncated tag or length');
  if (length < 0x80) throw new DerError('asn1: structure error: non-minimal length');
  return length;
}

/** Numbers of 31 bits, each in its shortest form. */
function isBase128(bytes: Buffer): boolean {
  let value = 0;
  for (const [index, byte] of bytes.entries()) {
    const isFirst = (bytes[index - 1] ?? 0) < 0x80;
    if (isFirst && byte === 0x80) return false;
    value = (isFirst ? 0 : value * 0x80) + (byte & 0x7f);
    if (value >= 2 ** 31) return false;
  }
  return true;
}

/** An element of up to 64 KiB. */
export function derElement(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const lengthBytes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content]);
}

/** The only element that the bytes hold. Throws {@link DerError} if other bytes follow it. */
export function onlySequence(bytes: Buffer): DerReader {
  const outer = new DerReader(bytes);
  const inner = outer.sequence();
  if (!outer.isAtEnd()) throw new DerError('asn1: syntax error: trailing data');
  return inner;
}

/** The result of `read`; undefined if it throws a {@link DerError}. */
export function undefinedIfMalformed<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}
