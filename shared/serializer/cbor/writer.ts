import { major } from './cbor-error.ts';
import { halfBits } from './half-float.ts';

const longestInline = 24;

/** A growing buffer of data items, written front to back (RFC 8949). */
export class Writer {
  #buffer: Buffer;
  #end = 0;

  constructor(initialBytes = 16 * 1024) {
    this.#buffer = Buffer.allocUnsafeSlow(initialBytes);
  }

  /** A copy of everything written since the last call. */
  take(): Buffer {
    const taken = Buffer.from(this.#buffer.subarray(0, this.#end));
    this.reset();
    return taken;
  }

  /** Discards everything written. */
  reset(): void {
    // The buffer of a rare huge object must not stay allocated for the life of the process.
    if (this.#buffer.length > 1024 * 1024) this.#buffer = Buffer.allocUnsafeSlow(64 * 1024);
    this.#end = 0;
  }

  #reserve(bytes: number): number {
    const start = this.#end;
    const needed = start + bytes;
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * 2));
      this.#buffer.copy(larger, 0, 0, start);
      this.#buffer = larger;
    }
    this.#end = needed;
    return start;
  }

  raw(bytes: Uint8Array): void {
    this.#buffer.set(bytes, this.#reserve(bytes.length));
  }

  /** Writes a head in its shortest form; the argument is below 2^53 (see {@link integer} for larger ones). */
  head(type: number, argument: number): void {
    if (argument < 24) this.#buffer[this.#reserve(1)] = (type << 5) | argument;
    else if (argument < 2 ** 8) this.#numbered(type, 24, argument, 1);
    else if (argument < 2 ** 16) this.#numbered(type, 25, argument, 2);
    else if (argument < 2 ** 32) this.#numbered(type, 26, argument, 4);
    else this.#numbered64(type, BigInt(argument));
  }

  #numbered(type: number, info: number, argument: number, size: number): void {
    const at = this.#reserve(1 + size);
    this.#buffer[at] = (type << 5) | info;
    this.#buffer.writeUIntBE(argument, at + 1, size);
  }

  #numbered64(type: number, argument: bigint): void {
    const at = this.#reserve(9);
    this.#buffer[at] = (type << 5) | 27;
    this.#buffer.writeBigUInt64BE(argument, at + 1);
  }

  /** Writes an integer of 64 bits and a sign. */
  integer(value: number | bigint): void {
    if (typeof value === 'bigint')
      this.#numbered64(value < 0n ? major.negative : major.positive, value < 0n ? -1n - value : value);
    else if (value < 0) this.head(major.negative, -1 - value);
    else this.head(major.positive, value);
  }

  /** Writes a float in the smallest width that holds it exactly. */
  float(value: number): void {
    const half = halfBits(value);
    if (half !== undefined) this.#numbered(major.other, 25, half, 2);
    else if (Math.fround(value) === value) this.#buffer.writeFloatBE(value, this.#afterByte(0xfa, 4));
    else this.#buffer.writeDoubleBE(value, this.#afterByte(0xfb, 8));
  }

  #afterByte(byte: number, size: number): number {
    const at = this.#reserve(1 + size);
    this.#buffer[at] = byte;
    return at + 1;
  }

  /**
   * Writes text as a byte string: the reference does not check that the text is UTF-8, and a byte string may hold any
   * bytes.
   */
  string(value: string): void {
    const { length } = value;
    if (length < longestInline && this.#ascii(value, length)) return;
    const size = Buffer.byteLength(value);
    this.head(major.bytes, size);
    const at = this.#reserve(size);
    this.#buffer.write(value, at);
  }

  /** Writes a short ASCII string, which most strings are. */
  #ascii(value: string, length: number): boolean {
    const start = this.#reserve(length + 1);
    this.#buffer[start] = (major.bytes << 5) | length;
    for (let at = 0; at < length; at++) {
      const code = value.charCodeAt(at);
      if (code > 127) {
        this.#end = start;
        return false;
      }
      this.#buffer[start + 1 + at] = code;
    }
    return true;
  }

  bytes(value: Uint8Array): void {
    this.head(major.bytes, value.length);
    this.raw(value);
  }

  simple(value: null | boolean): void {
    this.#buffer[this.#reserve(1)] = value === null ? 0xf6 : value ? 0xf5 : 0xf4;
  }
}
