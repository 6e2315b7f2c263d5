/** Malformed protobuf: truncated, a bad tag, or nested too deep. */
export class ProtoError extends Error {
  override readonly name = 'ProtoError';
}

/** Reads protobuf from a buffer; byte fields are views on it. */
export class ProtoReader {
  readonly buffer: Buffer;
  position: number;

  constructor(buffer: Buffer, position = 0) {
    this.buffer = buffer;
    this.position = position;
  }

  /** An unsigned varint below 2^32 (tags, lengths, enums); higher bits are dropped. */
  uint32(): number {
    const buffer = this.buffer;
    let byte = buffer[this.position++];
    if (byte === undefined) throw new ProtoError('unexpected EOF');
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    for (let shift = 7; shift < 70; shift += 7) {
      byte = buffer[this.position++];
      if (byte === undefined) throw new ProtoError('unexpected EOF');
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new ProtoError('integer overflow');
  }

  /** A signed 64-bit integer as a number; exact up to 2^53. */
  int64(): number {
    const byte = this.buffer[this.position];
    if (byte !== undefined && byte < 0x80) {
      this.position++;
      return byte;
    }
    let value = 0;
    let factor = 1;
    for (let count = 0; count < 9; count++) {
      const next = this.#byte();
      value += (next & 0x7f) * factor;
      if (next < 0x80) return value;
      factor *= 128;
    }
    // Ten bytes: negative, or an unsigned number beyond 2^63. The sums above were rounded, so decode it again exactly.
    this.position -= 9;
    return Number(BigInt.asIntN(64, this.uint64()));
  }

  /** An unsigned 64-bit integer, exact. */
  uint64(): bigint {
    let low = 0;
    let high = 0;
    for (let count = 0; count < 10; count++) {
      const next = this.#byte();
      if (count < 4) low += (next & 0x7f) * 2 ** (7 * count);
      else if (count < 9) high += (next & 0x7f) * 2 ** (7 * (count - 4));
      else return BigInt.asUintN(64, (BigInt(next) << 63n) | (BigInt(high) << 28n) | BigInt(low));
      if (next < 0x80) return (BigInt(high) << 28n) | BigInt(low);
    }
    throw new ProtoError('integer overflow');
  }

  /** Reads a length prefix and checks it against `end`; returns the position after the field. */
  fieldEnd(end: number): number {
    const length = this.uint32();
    const fieldEnd = this.position + length;
    if (fieldEnd > end) throw new ProtoError('unexpected EOF');
    return fieldEnd;
  }

  skip(wireType: number, end: number): void {
    if (wireType === 0) while (this.#byte() >= 0x80);
    else if (wireType === 1) this.position += 8;
    else if (wireType === 2) this.position = this.fieldEnd(end);
    else if (wireType === 5) this.position += 4;
    else throw new ProtoError(`illegal wireType ${wireType}`);
    if (this.position > end) throw new ProtoError('unexpected EOF');
  }

  #byte(): number {
    const byte = this.buffer[this.position++];
    if (byte === undefined) throw new ProtoError('unexpected EOF');
    return byte;
  }
}
