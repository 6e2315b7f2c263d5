import { bytesOfText } from '#shared/apimachinery/text/byte-text.ts';
import { bigVarintLength, varintLength, writeBigVarint, writeVarint } from './varint.ts';

/** Values of at least this size are copied only once, directly to their place in the message. */
const largeBytes = 64 * 1024;

/** A larger buffer, of a rare huge message, is not kept for the life of the process. */
const keptBytes = 1024 * 1024;

/**
 * A buffer that is written from its end to its start, as gogo's marshalers do: a nested message is complete before its
 * length is written, so no length is computed twice and no bytes are moved.
 */
export class ProtobufWriter {
  readonly #initialBytes: number;
  #buffer: Buffer;
  /** Position of the first written byte. */
  #start: number;
  /** What follows the buffer in the message: large values, and the buffer's bytes before each; in reverse order. */
  #behind: Uint8Array[] = [];
  #behindLength = 0;

  constructor(initialBytes = 64 * 1024) {
    this.#initialBytes = initialBytes;
    this.#buffer = Buffer.allocUnsafeSlow(initialBytes);
    this.#start = initialBytes;
  }

  /** Bytes written so far; the difference between two reads of it is a length. */
  get written(): number {
    return this.#buffer.length - this.#start + this.#behindLength;
  }

  /** Discards everything written. */
  reset(): void {
    if (this.#buffer.length > keptBytes) this.#buffer = Buffer.allocUnsafeSlow(this.#initialBytes);
    this.#start = this.#buffer.length;
    if (this.#behindLength === 0) return;
    this.#behind = [];
    this.#behindLength = 0;
  }

  /** A copy of everything written, behind `headroom` bytes for the caller to fill. */
  copy(headroom = 0): Buffer {
    const result = Buffer.allocUnsafe(headroom + this.written);
    let at = headroom + this.#buffer.copy(result, headroom, this.#start);
    for (let i = this.#behind.length - 1; i >= 0; i--) {
      const bytes = this.#behind[i] as Uint8Array;
      result.set(bytes, at);
      at += bytes.length;
    }
    return result;
  }

  byte(value: number): void {
    if (this.#start < 1) this.#grow(1);
    this.#buffer[--this.#start] = value;
  }

  /** Writes bytes. A large value must not change before {@link copy}. */
  bytes(value: Uint8Array): void {
    if (value.length >= largeBytes) return this.#putBehind(value);
    if (this.#start < value.length) this.#grow(value.length);
    this.#start -= value.length;
    this.#buffer.set(value, this.#start);
  }

  /** Writes an integer between -2^53 and 2^53; a negative one takes ten bytes. */
  varint(value: number): void {
    if (value >= 0 && value < 128) return this.byte(value);
    if (value < 0) return this.varintBig(BigInt.asUintN(64, BigInt(value)));
    const size = varintLength(value);
    if (this.#start < size) this.#grow(size);
    this.#start -= size;
    writeVarint(this.#buffer, value, this.#start);
  }

  /** Writes a 64-bit unsigned integer. */
  varintBig(value: bigint): void {
    if (value <= Number.MAX_SAFE_INTEGER) return this.varint(Number(value));
    const size = bigVarintLength(value);
    if (this.#start < size) this.#grow(size);
    this.#start -= size;
    writeBigVarint(this.#buffer, value, this.#start);
  }

  /** Writes a string in UTF-8, with the bytes that stand-ins stand for; returns the number of bytes. */
  text(value: string): number {
    const length = value.length;
    if (this.#start < length * 3) this.#grow(length * 3);
    const buffer = this.#buffer;
    if (length < 40) {
      let at = this.#start;
      let i = length - 1;
      for (; i >= 0; i--) {
        const code = value.charCodeAt(i);
        if (code > 127) break;
        buffer[--at] = code;
      }
      if (i < 0) {
        this.#start = at;
        return length;
      }
    }
    if (!value.isWellFormed()) return this.#bytesOf(value);
    const size = Buffer.byteLength(value, 'utf8');
    this.#start -= size;
    buffer.write(value, this.#start, size, 'utf8');
    return size;
  }

  #bytesOf(value: string): number {
    const content = Buffer.from(bytesOfText(value), 'latin1');
    this.bytes(content);
    return content.length;
  }

  /** Writes the bytes of standard base64; returns their number. */
  base64(value: string): number {
    const content = Buffer.from(value, 'base64');
    this.bytes(content);
    return content.length;
  }

  double(value: number): void {
    if (this.#start < 8) this.#grow(8);
    this.#start -= 8;
    this.#buffer.writeDoubleLE(value, this.#start);
  }

  float(value: number): void {
    if (this.#start < 4) this.#grow(4);
    this.#start -= 4;
    this.#buffer.writeFloatLE(value, this.#start);
  }

  #grow(need: number): void {
    const used = this.#buffer.length - this.#start;
    let size = this.#buffer.length * 2;
    while (size - used < need) size *= 2;
    const next = Buffer.allocUnsafeSlow(size);
    this.#buffer.copy(next, size - used, this.#start);
    this.#start = size - used;
    this.#buffer = next;
  }

  #putBehind(value: Uint8Array): void {
    const before = Buffer.from(this.#buffer.subarray(this.#start));
    this.#behind.push(before, value);
    this.#behindLength += before.length + value.length;
    this.#start = this.#buffer.length;
  }
}
