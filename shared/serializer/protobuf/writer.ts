/**
 * A buffer that is written from its end to its start, as gogo's marshalers do: a nested message is complete before its
 * length is written, so no length is computed twice and no bytes are moved.
 */
export class BackwardWriter {
  #buffer: Buffer;
  /** Position of the first written byte. */
  #start: number;

  constructor(initialBytes = 64 * 1024) {
    this.#buffer = Buffer.allocUnsafeSlow(initialBytes);
    this.#start = initialBytes;
  }

  /** Bytes written so far; the difference between two reads of it is a length. */
  get written(): number {
    return this.#buffer.length - this.#start;
  }

  /** Discards everything written. */
  reset(): void {
    // The buffer of a rare huge object must not stay allocated for the life of the process.
    if (this.#buffer.length > 1024 * 1024) this.#buffer = Buffer.allocUnsafeSlow(64 * 1024);
    this.#start = this.#buffer.length;
  }

  /** A copy of everything written. */
  copy(): Buffer {
    return Buffer.from(this.#buffer.subarray(this.#start));
  }

  #grow(need: number): void {
    const used = this.written;
    let size = this.#buffer.length * 2;
    while (size - used < need) size *= 2;
    const next = Buffer.allocUnsafeSlow(size);
    this.#buffer.copy(next, size - used, this.#start);
    this.#start = size - used;
    this.#buffer = next;
  }

  byte(value: number): void {
    if (this.#start < 1) this.#grow(1);
    this.#buffer[--this.#start] = value;
  }

  bytes(value: Uint8Array): void {
    if (this.#start < value.length) this.#grow(value.length);
    this.#start -= value.length;
    this.#buffer.set(value, this.#start);
  }

  /** Writes an integer between -2^53 and 2^53; a negative one takes ten bytes. */
  varint(value: number): void {
    if (value >= 0 && value < 128) return this.byte(value);
    if (value < 0 || value > 0xffffffff) return this.varintBig(BigInt.asUintN(64, BigInt(value)));
    if (this.#start < 5) this.#grow(5);
    let rest = value;
    let size = 1;
    while (rest > 127) {
      rest = Math.floor(rest / 128);
      size++;
    }
    this.#start -= size;
    let at = this.#start;
    rest = value;
    while (rest > 127) {
      this.#buffer[at++] = (rest & 127) | 128;
      rest = rest >>> 7;
    }
    this.#buffer[at] = rest;
  }

  /** Writes a 64-bit unsigned integer. */
  varintBig(value: bigint): void {
    const parts: number[] = [];
    let rest = value;
    while (rest > 127n) {
      parts.push(Number(rest & 127n) | 128);
      rest >>= 7n;
    }
    parts.push(Number(rest));
    for (let i = parts.length - 1; i >= 0; i--) this.byte(parts[i] as number);
  }

  /** Writes the UTF-8 of a string (lone surrogates as U+FFFD); returns the number of bytes. */
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
    const size = Buffer.byteLength(value, 'utf8');
    this.#start -= size;
    buffer.write(value, this.#start, size, 'utf8');
    return size;
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
}

/** A field's key as bytes. Wire types: 0 varint, 1 eight bytes, 2 length-delimited, 5 four bytes. */
export function tagBytes(number: number, wireType: number): Uint8Array {
  const out: number[] = [];
  let rest = number * 8 + wireType;
  while (rest > 127) {
    out.push((rest & 127) | 128);
    rest = Math.floor(rest / 128);
  }
  out.push(rest);
  return Uint8Array.from(out);
}
