/** A message that cannot be read; texts as gogo's generated unmarshalers word them. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError';
}

/** Values of one wire message, read front to back. Positions are those of the whole buffer. */
export class Reader {
  readonly buffer: Buffer;
  position: number;

  constructor(bytes: Uint8Array) {
    this.buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.position = 0;
  }

  /** A varint as a number; right for values below 2^53, callers that may meet larger ones use {@link varintBig}. */
  varint(end: number): number {
    const first = this.position < end ? (this.buffer[this.position] as number) : 128;
    if (first < 128) {
      this.position++;
      return first;
    }
    let value = 0;
    let scale = 1;
    for (let i = 0; i < 10; i++) {
      if (this.position >= end) throw new ProtobufError('unexpected EOF');
      const byte = this.buffer[this.position++] as number;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
    throw new ProtobufError('proto: integer overflow');
  }

  varintBig(end: number): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (this.position >= end) throw new ProtobufError('unexpected EOF');
      const byte = this.buffer[this.position++] as number;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asUintN(64, value);
    }
    throw new ProtobufError('proto: integer overflow');
  }

  /** A signed integer: a number, or a bigint beyond 2^53-1. */
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

  /** Reads a length and gives the end position of what follows. */
  block(end: number): number {
    const length = this.varint(end);
    const stop = this.position + length;
    if (stop > end) throw new ProtobufError('unexpected EOF');
    return stop;
  }

  /** UTF-8 up to `stop`. */
  text(stop: number): string {
    const start = this.position;
    this.position = stop;
    const { buffer } = this;
    if (stop - start > 24) return buffer.toString('utf8', start, stop);
    let out = '';
    for (let i = start; i < stop; i++) {
      const code = buffer[i] as number;
      if (code > 127) return buffer.toString('utf8', start, stop);
      out += String.fromCharCode(code);
    }
    return out;
  }

  /** Passes over a field of the given wire type. */
  skip(wireType: number, end: number): void {
    switch (wireType) {
      case 0: this.varint(end); return;
      case 1: this.position += 8; break;
      case 2: this.position = this.block(end); return;
      case 5: this.position += 4; break;
      case 3: this.#skipGroup(end); return;
      default: throw new ProtobufError(`proto: illegal wireType ${wireType}`);
    }
    if (this.position > end) throw new ProtobufError('unexpected EOF');
  }

  #skipGroup(end: number): void {
    for (let depth = 1; depth > 0;) {
      const wireType = this.varint(end) & 7;
      if (wireType === 3) depth++;
      else if (wireType === 4) depth--;
      else this.skip(wireType, end);
    }
  }
}
