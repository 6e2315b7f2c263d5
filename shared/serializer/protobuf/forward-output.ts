import { Buffer } from 'node:buffer';

const initialBytes = 64 * 1024;
/** What one object of the largest size takes: growing to it again for each of many costs more than the rest. */
const keptBytes = 4 * 1024 * 1024;
/** Of a varint or a tag. */
const longestVarint = 10;

/**
 * A buffer that is written from its start, for what is read in order: the length of a nested message is put in front of it
 * when its content stands.
 */
export class ForwardOutput {
  bytes: Buffer = Buffer.allocUnsafeSlow(initialBytes);
  at = 0;

  reset(): void {
    // What is larger still is rare, and must not hold its memory for the life of the process.
    if (this.bytes.length > keptBytes) this.bytes = Buffer.allocUnsafeSlow(initialBytes);
    this.at = 0;
  }

  /** Room for so many bytes and some numbers around them. */
  reserve(need: number): void {
    const wanted = this.at + need + 4 * longestVarint;
    if (wanted <= this.bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(wanted, this.bytes.length * 2));
    this.bytes.copy(grown, 0, 0, this.at);
    this.bytes = grown;
  }

  copyOf(source: Uint8Array): void {
    this.reserve(source.length);
    const { bytes } = this;
    let { at } = this;
    if (source.length > shortCopy) bytes.set(source, at);
    else for (let i = 0; i < source.length; i++) bytes[at + i] = source[i] as number;
    at += source.length;
    this.at = at;
  }

  copyRange(source: Buffer, start: number, end: number): void {
    this.reserve(end - start);
    const { bytes, at } = this;
    if (end - start > shortCopy) source.copy(bytes, at, start, end);
    else for (let i = start, to = at; i < end; i++) bytes[to++] = source[i] as number;
    this.at = at + end - start;
  }

  /** A non-negative integer below 2^53. Room must be there. */
  varint(value: number): void {
    let rest = value;
    while (rest > 0x7fffffff) {
      this.bytes[this.at++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    while (rest > 127) {
      this.bytes[this.at++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.bytes[this.at++] = rest;
  }

  /** Begins what its length stands in front of; returns what {@link close} wants. */
  open(): number {
    this.reserve(1);
    return ++this.at;
  }

  close(start: number): void {
    const { at } = this;
    const length = at - start;
    if (length < 128) {
      this.bytes[start - 1] = length;
      return;
    }
    const extra = length < 1 << 14 ? 1 : length < 1 << 21 ? 2 : length < 1 << 28 ? 3 : 4;
    this.reserve(extra);
    this.bytes.copyWithin(start + extra, start, at);
    this.at = start - 1;
    this.varint(length);
    this.at = at + extra;
  }
}

const shortCopy = 32;
