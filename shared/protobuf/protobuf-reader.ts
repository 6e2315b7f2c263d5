import { textOfBuffer } from '#shared/apimachinery/text/byte-text.ts';

/** The error for a message that cannot be read, in the words of gogo's generated unmarshalers. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError';
}

/** Stands for all field numbers beyond those of any message. */
const unknownNumber = 2 ** 28 - 1;
const maxInt64 = 2n ** 63n - 1n;

/** Reads the values of a message, front to back. Positions are those in the whole buffer. */
export class ProtobufReader {
  readonly buffer: Buffer;
  position: number;

  constructor(bytes: Uint8Array, position = 0) {
    this.buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.position = position;
  }

  /** Reads a varint as a number; exact below 2^53. Callers that expect larger values use {@link varintBig}. */
  varint(end: number): number {
    const { buffer } = this;
    const first = this.position < end ? (buffer[this.position] as number) : 128;
    if (first < 128) {
      this.position++;
      return first;
    }
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      if (this.position >= end) throw new ProtobufError('unexpected EOF');
      const byte = buffer[this.position++] as number;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
    return value + this.#groupsBeyond28Bits(end);
  }

  #groupsBeyond28Bits(end: number): number {
    let value = 0;
    for (let scale = 2 ** 28; scale < 2 ** 70; scale *= 128) {
      if (this.position >= end) throw new ProtobufError('unexpected EOF');
      const byte = this.buffer[this.position++] as number;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw new ProtobufError('proto: integer overflow');
  }

  /**
   * Reads a field's number and wire type, as `number << 3 | wireType`, below 2^31. A larger field number becomes one
   * that no message has.
   * @param message the Go name of the message, for errors
   */
  tag(message: string, end: number): number {
    const start = this.position;
    const key = this.varint(end);
    if (key >= 8 && key < unknownNumber * 8 && (key & 7) !== 4) return key;
    this.position = start;
    const exact = this.varintBig(end);
    const wireType = Number(exact & 7n);
    const number = Number(BigInt.asIntN(32, exact >> 3n));
    if (wireType === 4) throw new ProtobufError(`proto: ${message}: wiretype end group for non-group`);
    if (number <= 0) throw new ProtobufError(`proto: ${message}: illegal tag ${number} (wire type ${exact})`);
    return Math.min(number, unknownNumber) * 8 + wireType;
  }

  /** Reads a varint exactly. Its groups of seven bits are summed in two numbers, since sums of bigints are slow. */
  varintBig(end: number): bigint {
    let low = 0;
    let high = 0;
    for (let count = 0; count < 10; count++) {
      if (this.position >= end) throw new ProtobufError('unexpected EOF');
      const byte = this.buffer[this.position++] as number;
      if (count < 4) low += (byte & 127) * 2 ** (7 * count);
      else if (count < 9) high += (byte & 127) * 2 ** (7 * (count - 4));
      // Of the tenth byte one bit is left in 64.
      else if (byte < 128) return (BigInt(byte & 1) << 63n) | (BigInt(high) << 28n) | BigInt(low);
      if (byte < 128) return (BigInt(high) << 28n) | BigInt(low);
    }
    throw new ProtobufError('proto: integer overflow');
  }

  /** Reads a signed integer: a number, or a bigint beyond 2^53-1. */
  int64(end: number): number | bigint {
    const start = this.position;
    const value = this.varint(end);
    if (value <= Number.MAX_SAFE_INTEGER) return value;
    this.position = start;
    const exact = BigInt.asIntN(64, this.varintBig(end));
    return exact >= -9007199254740991n && exact <= 9007199254740991n ? Number(exact) : exact;
  }

  uint64(end: number): number | bigint {
    const start = this.position;
    const value = this.varint(end);
    if (value <= Number.MAX_SAFE_INTEGER) return value;
    this.position = start;
    return this.varintBig(end);
  }

  /** Reads a length and returns the end position of the content that follows. */
  block(end: number): number {
    const start = this.position;
    const length = this.varint(end);
    const stop = this.position + length;
    if (stop <= end) return stop;
    const after = this.position;
    this.position = start;
    throw new ProtobufError(
      this.varintBig(end) + BigInt(after) > maxInt64
        ? 'proto: negative length found during unmarshaling'
        : 'unexpected EOF',
    );
  }

  /** Reads a text up to `stop`; bytes that are not UTF-8 get stand-ins. */
  text(stop: number): string {
    const start = this.position;
    this.position = stop;
    const { buffer } = this;
    if (stop - start > 24) return this.#decoded(start, stop);
    let out = '';
    for (let i = start; i < stop; i++) {
      const code = buffer[i] as number;
      if (code > 127) return this.#decoded(start, stop);
      out += String.fromCharCode(code);
    }
    return out;
  }

  #decoded(start: number, stop: number): string {
    const text = this.buffer.toString('utf8', start, stop);
    return text.includes('\ufffd') ? textOfBuffer(this.buffer.subarray(start, stop)) : text;
  }

  /** Reads bytes up to `stop`, as a view. */
  bytes(stop: number): Buffer {
    const view = this.buffer.subarray(this.position, stop);
    this.position = stop;
    return view;
  }

  /** Skips a field of the given wire type. */
  skip(wireType: number, end: number): void {
    switch (wireType) {
      case 0:
        this.varint(end);
        return;
      case 1:
        this.position += 8;
        break;
      case 2:
        this.position = this.block(end);
        return;
      case 5:
        this.position += 4;
        break;
      case 3:
        this.#skipGroup(end);
        return;
      case 4:
        throw new ProtobufError('proto: unexpected end of group');
      default:
        throw new ProtobufError(`proto: illegal wireType ${wireType}`);
    }
    if (this.position > end) throw new ProtobufError('unexpected EOF');
  }

  #skipGroup(end: number): void {
    for (let depth = 1; depth > 0;) {
      const wireType = (this.buffer[this.position] ?? 0) & 7;
      this.varint(end);
      if (wireType === 3) depth++;
      else if (wireType === 4) depth--;
      else this.skip(wireType, end);
    }
  }
}
