/** Values of at least this size are copied only once, directly to their place in the message. */
const largeBytes = 64 * 1024;

/**
 * Writes protobuf from the end of a buffer to its start, so that the length of a nested message is known when its
 * length prefix is written: one pass, no size computation.
 */
export class ProtoWriter {
  #buffer: Buffer = Buffer.allocUnsafeSlow(16 * 1024);
  /** Offset of the first byte written so far. */
  #start = this.#buffer.length;
  /** What follows the buffer in the message: large values, and the buffer's bytes before each; in reverse order. */
  #behind: Uint8Array[] = [];
  #behindLength = 0;

  reset(): void {
    // A single huge message must not pin its memory for ever.
    if (this.#buffer.length > 1024 * 1024) this.#buffer = Buffer.allocUnsafeSlow(16 * 1024);
    this.#start = this.#buffer.length;
    if (this.#behindLength > 0) this.#behind = [];
    this.#behindLength = 0;
  }

  /** Bytes written so far; the difference of two readings is the number of bytes written between them. */
  get length(): number {
    return this.#buffer.length - this.#start + this.#behindLength;
  }

  /** A copy of the written bytes, preceded by `headroom` bytes for the caller to fill. */
  finish(headroom: number): Buffer {
    const size = this.#buffer.length - this.#start;
    const result = Buffer.allocUnsafe(headroom + size + this.#behindLength);
    this.#buffer.copy(result, headroom, this.#start);
    if (this.#behindLength > 0) this.#finishBehind(result, headroom + size);
    return result;
  }

  /** An unsigned integer up to 2^53 − 1. */
  varint(value: number): void {
    if (value < 0x80) {
      this.#reserve(1);
      this.#buffer[--this.#start] = value;
      return;
    }
    if (value <= 0x7fffffff) return this.#varint32(value);
    const low = value % 0x10000000;
    const high = Math.floor(value / 0x10000000);
    this.varint(high);
    this.#fixedGroups(low);
  }

  /** An int64 field; a negative one takes ten bytes. */
  int64(value: number): void {
    if (value >= 0) this.varint(value);
    else this.uint64(BigInt.asUintN(64, BigInt(value)));
  }

  uint64(value: bigint): void {
    if (value <= 0x1fffffffffffffn) return this.varint(Number(value));
    const bytes: number[] = [];
    let rest = value;
    while (rest > 0x7fn) {
      bytes.push(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    bytes.push(Number(rest));
    this.bytes(Uint8Array.from(bytes));
  }

  /** Writes bytes. A large value must not change before `finish`. */
  bytes(value: Uint8Array): void {
    if (value.length >= largeBytes) return this.#putBehind(value);
    this.#reserve(value.length);
    this.#start -= value.length;
    this.#buffer.set(value, this.#start);
  }

  string(value: string): void {
    const size = Buffer.byteLength(value);
    this.#reserve(size);
    this.#start -= size;
    this.#buffer.write(value, this.#start, size, 'utf8');
  }

  #finishBehind(result: Buffer, start: number): void {
    let at = start;
    for (const bytes of this.#behind.toReversed()) {
      result.set(bytes, at);
      at += bytes.length;
    }
    // Large values are not kept until the next message.
    this.reset();
  }

  #putBehind(value: Uint8Array): void {
    const written = Buffer.from(this.#buffer.subarray(this.#start));
    this.#behind.push(written, value);
    this.#behindLength += written.length + value.length;
    this.#start = this.#buffer.length;
  }

  #varint32(value: number): void {
    const size = value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5;
    this.#reserve(size);
    this.#start -= size;
    const buffer = this.#buffer;
    let at = this.#start;
    let rest = value;
    while (rest >= 0x80) {
      buffer[at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    buffer[at] = rest;
  }

  /** The low 28 bits of a larger number: four groups, each with the continuation bit. */
  #fixedGroups(low: number): void {
    this.#reserve(4);
    const buffer = this.#buffer;
    buffer[--this.#start] = (low >>> 21) | 0x80;
    buffer[--this.#start] = ((low >>> 14) & 0x7f) | 0x80;
    buffer[--this.#start] = ((low >>> 7) & 0x7f) | 0x80;
    buffer[--this.#start] = (low & 0x7f) | 0x80;
  }

  #reserve(size: number): void {
    if (size <= this.#start) return;
    const used = this.#buffer.length - this.#start;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, used + size + 1024));
    this.#buffer.copy(grown, grown.length - used, this.#start);
    this.#buffer = grown;
    this.#start = grown.length - used;
  }
}
