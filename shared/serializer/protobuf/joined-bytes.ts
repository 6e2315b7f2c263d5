import { Buffer } from 'node:buffer';
import { countShortLived } from '#shared/apimachinery/bytes/short-lived-bytes.ts';
import { writeVarint } from '#shared/protobuf/varint.ts';

const initialBytes = 256 * 1024;

/** A growing buffer for consecutive parts in protobuf or text. It is reused. */
export class JoinedBytes {
  bytes: Buffer;
  at = 0;

  constructor(firstBytes = initialBytes) {
    this.bytes = Buffer.allocUnsafeSlow(firstBytes);
  }

  reserve(need: number): void {
    if (this.at + need <= this.bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.at + need, this.bytes.length * 2));
    this.bytes.copy(grown, 0, 0, this.at);
    this.bytes = grown;
  }

  append(source: Uint8Array): void {
    this.reserve(source.length);
    this.bytes.set(source, this.at);
    this.at += source.length;
  }

  /** Appends a range of another buffer, without making a view of it. */
  range(source: Buffer, start: number, end: number): void {
    this.reserve(end - start);
    source.copy(this.bytes, this.at, start, end);
    this.at += end - start;
  }

  text(text: string): void {
    this.reserve(text.length * 3);
    this.at += this.bytes.write(text, this.at, 'utf8');
  }

  /** Writes tag and length of a nested message. The caller must have reserved the room. */
  head(field: number, length: number): void {
    this.at = writeVarint(this.bytes, length, writeVarint(this.bytes, field * 8 + 2, this.at));
  }

  /** Discards the bytes that an error has left. */
  clear(): this {
    this.at = 0;
    return this;
  }

  /** Returns everything written and empties the buffer. Bytes that fill most of the buffer are not copied. */
  take(): Buffer {
    const { at, bytes } = this;
    this.at = 0;
    countShortLived(at);
    if (bytes.length > initialBytes) {
      this.bytes = Buffer.allocUnsafeSlow(initialBytes);
      if (at > bytes.length / 2) return bytes.subarray(0, at);
    }
    const taken = Buffer.allocUnsafeSlow(at);
    bytes.copy(taken, 0, 0, at);
    return taken;
  }
}

/** Maximum number of bytes of a tag and length. */
export const longestHead = 10;
