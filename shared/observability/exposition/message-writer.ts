import { Buffer } from 'node:buffer';

/** Wire types. */
const wire = { varint: 0, double: 1, bytes: 2 } as const;

/** Writes one protobuf message. */
export class MessageWriter {
  #bytes = Buffer.allocUnsafe(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  bytes(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }

  text(field: number, text: string): this {
    return this.message(field, Buffer.from(text));
  }

  message(field: number, bytes: Uint8Array): this {
    this.varint((field << 3) | wire.bytes);
    return this.raw(bytes);
  }

  /** Bytes behind their length. */
  raw(bytes: Uint8Array): this {
    this.varint(bytes.length);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  uint(field: number, value: number): this {
    return this.varint((field << 3) | wire.varint).varint(value);
  }

  /** A zigzag number. */
  sint(field: number, value: number): this {
    return this.uint(field, zigzag(value));
  }

  double(field: number, value: number): this {
    this.varint((field << 3) | wire.double);
    this.#reserve(8);
    this.#length = this.#bytes.writeDoubleLE(value, this.#length);
    return this;
  }

  varint(value: number): this {
    this.#reserve(10);
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
    return this;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(2 * (this.#length + count));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

export function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}
