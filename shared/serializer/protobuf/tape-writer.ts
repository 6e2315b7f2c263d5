import type { Buffer } from 'node:buffer';
import { delimitedLength, longestVarint, varintLength, writeBigVarint, writeVarint } from '#shared/protobuf/varint.ts';
import type { JsonTape } from './json-tape.ts';
import {
  frameEnd,
  framePart,
  frameSize,
  frameUnlike,
  holds,
  messageOf,
  valueOp,
  type Part,
  type Slot,
  type ValueOp,
} from './message-shape.ts';
import { longString, lowNumbers } from './scalar-tape.ts';

/** Copying up to this many bytes one by one costs less than a call. */
const shortCopy = 48;
const firstField = 10;

/**
 * Writes the message of a {@link JsonTape} into a buffer that has room for it: all sizes are known, so no bytes are
 * moved.
 */
export class TapeWriter {
  readonly #tape: JsonTape;
  readonly #out: Buffer;
  at: number;
  /** The start of the current piece, where long strings are not copied. */
  #pieceStart: number;
  readonly #pieces: Uint8Array[] | undefined;

  /**
   * With `pieces`, long strings are not copied: the written bytes are added to `pieces`, with views of the JSON between
   * them.
   */
  constructor(tape: JsonTape, out: Buffer, at: number, pieces?: Uint8Array[]) {
    this.#tape = tape;
    this.#out = out;
    this.at = at;
    this.#pieceStart = at;
    this.#pieces = pieces;
  }

  /** Adds what was written since the last long string to the pieces. */
  finishPiece(): void {
    if (this.at > this.#pieceStart) this.#pieces?.push(this.#out.subarray(this.#pieceStart, this.at));
    this.#pieceStart = this.at;
  }

  /** Writes the parts of the message whose frame begins at `base`. */
  parts(parts: readonly Part[], base: number): void {
    const { numbers } = this.#tape;
    for (let i = 0; i < parts.length; i++) {
      const { slot, group } = parts[i] as Part;
      if (slot !== undefined) {
        const node = numbers[base + slot.place] as number;
        if (node !== 0) this.#member(slot, node);
        else if (slot.zero.length > 0) this.bytes(slot.zero);
      } else if (group !== undefined) {
        this.bytes(group.tag);
        this.varint(numbers[base + group.sizePlace] as number);
        this.parts(group.parts, base);
      }
    }
  }

  #member(slot: Slot, node: number): void {
    const { numbers } = this.#tape;
    switch (slot.holds) {
      case holds.one:
        this.bytes(slot.tag);
        this.#value(slot.op, slot, node);
        return;
      case holds.list:
        for (let at = node + 1, left = numbers[node] as number; left > 0; left--) {
          this.bytes(slot.tag);
          at = this.#value(slot.op, slot, at);
        }
        return;
      case holds.map:
        return this.#map(slot, node);
      default:
        this.bytes(this.#tape.parts[numbers[node] as number] as Uint8Array);
    }
  }

  #map(slot: Slot, node: number): void {
    const { numbers } = this.#tape;
    for (let at = node + 1, left = numbers[node] as number; left > 0; left--) {
      this.bytes(slot.tag);
      this.varint(numbers[at] as number);
      this.#out[this.at++] = firstField;
      this.#string(at + 1);
      this.#out[this.at++] = slot.valueTag;
      at = this.#value(slot.op, slot, at + 3);
    }
  }

  /** Writes a value; returns the position of the next node. */
  #value(op: ValueOp, slot: Slot, node: number): number {
    const { numbers } = this.#tape;
    switch (op) {
      case valueOp.string:
        this.#string(node);
        return node + 2;
      case valueOp.bool:
        this.#out[this.at++] = numbers[node] as number;
        return node + 1;
      case valueOp.integer:
        this.#integer(node);
        return node + 2;
      case valueOp.bytes:
        this.#base64(node);
        return node + 3;
      case valueOp.boxed:
      case valueOp.raw:
        this.#boxed(node);
        return node + 2;
      case valueOp.intOrString:
        this.#intOrString(node);
        return node + 3;
      case valueOp.time:
        this.#time(node);
        return node + 2;
      case valueOp.struct:
        this.#struct(slot, node);
        return numbers[node + frameEnd] as number;
    }
  }

  #struct({ alike, schema }: Slot, node: number): void {
    const { json, numbers, parts, unlike } = this.#tape;
    const size = numbers[node + frameSize] as number;
    if (size < 0) {
      this.varint(-1 - size);
      this.bytes(parts[numbers[node + framePart] as number] as Uint8Array);
      return;
    }
    this.varint(size);
    const from = this.at;
    this.parts(messageOf(schema as NonNullable<Slot['schema']>).parts, node);
    const place = numbers[node + frameUnlike] as number;
    if (place === 0 || this.#pieces !== undefined) return;
    const { ordinal, start, end } = unlike[place - 1] as (typeof unlike)[number];
    alike.keep(ordinal, json.subarray(start, end), this.#out.subarray(from, this.at));
  }

  /** Writes a string or raw bytes, with their length in front. */
  #string(node: number): void {
    const { json, numbers, texts } = this.#tape;
    const start = numbers[node] as number;
    const length = numbers[node + 1] as number;
    this.varint(length);
    if (start >= 0 && length >= longString && this.#pieces !== undefined) {
      this.finishPiece();
      this.#pieces.push(json.subarray(start, start + length));
    } else if (start >= 0) this.#range(json, start, start + length);
    else this.at += this.#out.write(texts[-1 - start] as string, this.at, 'utf8');
  }

  /** Writes a message of one string or of raw bytes. */
  #boxed(node: number): void {
    const length = this.#tape.numbers[node + 1] as number;
    this.varint(1 + delimitedLength(length));
    this.#out[this.at++] = firstField;
    this.#string(node);
  }

  /** Writes an IntOrString, which has a type, a number and a string; the tape has the type and one of the two. */
  #intOrString(node: number): void {
    const { numbers } = this.#tape;
    const isText = numbers[node] === 1;
    const length = numbers[node + 2] as number;
    this.varint(5 + (isText ? delimitedLength(length) : this.#integerLength(node + 1)));
    this.#two(8, isText ? 1 : 0);
    if (isText) {
      this.#two(16, 0);
      this.#out[this.at++] = 26;
      this.#string(node + 1);
    } else {
      this.#out[this.at++] = 16;
      this.#integer(node + 1);
      this.#two(26, 0);
    }
  }

  /** Writes a time: its seconds, and zero nanoseconds. */
  #time(node: number): void {
    this.varint(3 + this.#integerLength(node));
    this.#out[this.at++] = 8;
    this.#integer(node);
    this.#two(16, 0);
  }

  #two(first: number, second: number): void {
    this.#out[this.at++] = first;
    this.#out[this.at++] = second;
  }

  #integerLength(node: number): number {
    const { numbers } = this.#tape;
    const high = numbers[node + 1] as number;
    if (high < 0) return longestVarint;
    return high === 0 ? varintLength(numbers[node] as number) : 4 + varintLength(high);
  }

  #integer(node: number): void {
    const { numbers } = this.#tape;
    const low = numbers[node] as number;
    const high = numbers[node + 1] as number;
    if (high < 0) return this.#negative((-1 - high) * lowNumbers + low);
    if (high === 0) return this.varint(low);
    for (let shift = 0; shift < 28; shift += 7) this.#out[this.at++] = ((low >>> shift) & 127) | 128;
    this.varint(high);
  }

  #negative(magnitude: number): void {
    this.at = writeBigVarint(this.#out, BigInt.asUintN(64, -BigInt(magnitude)), this.at);
  }

  #base64(node: number): void {
    const { json, numbers } = this.#tape;
    const start = numbers[node] as number;
    const length = numbers[node + 2] as number;
    this.varint(length);
    const written = this.#out.write(
      json.toString('latin1', start, start + (numbers[node + 1] as number)),
      this.at,
      length,
      'base64',
    );
    if (written !== length) throw new Error('text of bytes that is no canonical base64');
    this.at += written;
  }

  varint(value: number): void {
    this.at = writeVarint(this.#out, value, this.at);
  }

  bytes(source: Uint8Array): void {
    const out = this.#out;
    let { at } = this;
    if (source.length > shortCopy) {
      out.set(source, at);
      this.at += source.length;
      return;
    }
    for (let i = 0; i < source.length; i++) out[at++] = source[i] as number;
    this.at = at;
  }

  #range(source: Buffer, start: number, end: number): void {
    const out = this.#out;
    let { at } = this;
    if (end - start > shortCopy) {
      source.copy(out, at, start, end);
      this.at = at + end - start;
      return;
    }
    for (let i = start; i < end; i++) out[at++] = source[i] as number;
    this.at = at;
  }
}
