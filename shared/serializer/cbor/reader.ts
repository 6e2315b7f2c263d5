import { CborError, major, majorName, notAccepted } from './cbor-error.ts';
import { halfValue } from './half-float.ts';

const indefinite = 31;
const breakByte = 0xff;
const maxSafe = BigInt(Number.MAX_SAFE_INTEGER);
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads the items of bytes that {@link checkWellFormed} has accepted, front to back. */
export class CborReader {
  readonly #bytes: Buffer;
  at = 0;
  /** The argument of the last head that was read. Exact below 2^53; see {@link integer}. */
  argument = 0;
  #info = 0;
  #headAt = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Major type of the next item. */
  get type(): number {
    return (this.#bytes[this.at] as number) >> 5;
  }

  get firstByte(): number {
    return this.#bytes[this.at] as number;
  }

  /** Whether the next item is tag 55799, which only marks the data as CBOR. */
  get isSelfDescribed(): boolean {
    return this.firstByte === 0xd9 && this.#bytes.readUInt16BE(this.at + 1) === 55_799;
  }

  /** Whether the next item is of indefinite length. */
  get isIndefinite(): boolean {
    return (this.firstByte & 31) === indefinite;
  }

  head(): void {
    this.#headAt = this.at;
    this.#info = (this.#bytes[this.at++] as number) & 31;
    if (this.#info < 24 || this.#info === indefinite) {
      this.argument = this.#info;
      return;
    }
    const size = 2 ** (this.#info - 24);
    this.argument = size === 8 ? Number(this.#bytes.readBigUInt64BE(this.at)) : this.#bytes.readUIntBE(this.at, size);
    this.at += size;
  }

  /** Whether the next byte is a break, which ends the current array or map; consumes the break. */
  takeBreak(): boolean {
    if (this.#bytes[this.at] !== breakByte) return false;
    this.at++;
    return true;
  }

  /** Reads the head of an array or map, and calls `visit` for each member (or pair), which the visitor reads. */
  each(visit: (index: number) => void): void {
    this.head();
    const isIndefinite = this.#info === indefinite;
    const count = this.argument;
    for (let index = 0; isIndefinite ? !this.takeBreak() : index < count; index++) visit(index);
  }

  /** Skips the next item. */
  skip(): void {
    for (let left = 1; left > 0; left--) {
      const { type } = this;
      this.head();
      if (type === major.tag) left++;
      else if (this.#info === indefinite) this.#skipIndefinite();
      else if (type === major.bytes || type === major.text) this.at += this.argument;
      else if (type === major.array) left += this.argument;
      else if (type === major.map) left += 2 * this.argument;
    }
  }

  #skipIndefinite(): void {
    while (!this.takeBreak()) this.skip();
  }

  /** Reads an exact integer: a bigint beyond 2^53-1. A negative one can exceed int64. */
  integer(): number | bigint {
    const isNegative = this.type === major.negative;
    this.head();
    if (this.#info < 27) return isNegative ? -1 - this.argument : this.argument;
    const argument = this.#bytes.readBigUInt64BE(this.#headAt + 1);
    const value = isNegative ? -1n - argument : argument;
    return value >= -maxSafe && value <= maxSafe ? Number(value) : value;
  }

  /** Reads the content of a byte string; a view unless the string is in chunks. */
  byteString(): Buffer {
    this.head();
    if (this.#info !== indefinite) return this.#take();
    const chunks: Buffer[] = [];
    while (!this.takeBreak()) {
      this.head();
      chunks.push(this.#take());
    }
    return Buffer.concat(chunks);
  }

  #take(): Buffer {
    const start = this.at;
    this.at += this.argument;
    return this.#bytes.subarray(start, this.at);
  }

  /**
   * Reads a text string.
   * @throws CborError for invalid UTF-8
   */
  textString(): string {
    this.head();
    if (this.#info !== indefinite) return decodeText(this.#take());
    let text = '';
    while (!this.takeBreak()) {
      this.head();
      text += decodeText(this.#take());
    }
    return text;
  }

  /** Reads a simple value or float. */
  other(): null | boolean | number {
    this.head();
    switch (this.#info) {
      case 20:
        return false;
      case 21:
        return true;
      case 22:
        return null;
      case 25:
        return halfValue(this.argument);
      case 26:
        return this.#bytes.readFloatBE(this.#headAt + 1);
      case 27:
        return this.#bytes.readDoubleBE(this.#headAt + 1);
      default:
        throw notAccepted(major.other, `simple value ${this.argument} is not recognized`);
    }
  }

  /**
   * Reads a tag and returns its number.
   * @throws CborError where the tag encloses an item that it does not allow
   */
  tag(): number {
    this.head();
    const tag = this.argument;
    checkTagContent(tag, this.firstByte);
    return tag;
  }
}

function decodeText(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new CborError('cbor: invalid UTF-8 string');
  }
}

/** Checks the content of a time: text for tag 0, a number for tag 1 (RFC 8949 §3.4). */
function checkTagContent(tag: number, first: number): void {
  const type = first >> 5;
  if (tag === 0 && type !== major.text)
    throw new CborError(`cbor: tag number 0 must be followed by text string, got ${majorName(type)}`);
  const isNumber = type <= major.negative || (first >= 0xf9 && first <= 0xfb);
  if (tag === 1 && !isNumber)
    throw new CborError(
      `cbor: tag number 1 must be followed by integer or floating-point number, got ${majorName(type)}`,
    );
}
