import type { Buffer } from 'node:buffer';
import { skipValue } from '../../apimachinery/json-bytes.ts';
import { backslash, closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from '../../apimachinery/json-punctuation.ts';
import type { ForwardOutput } from './forward-output.ts';

const minus = 0x2d;
const letterN = 0x6e;
const letterT = 0x74;
const letterF = 0x66;

/** JSON that is not as it is printed here. */
export class UnexpectedJson extends Error {}

/** A place in JSON of our own print. Whatever stands elsewhere than expected is {@link UnexpectedJson}. */
export class JsonCursor {
  readonly json: Buffer;
  position: number;

  constructor(json: Buffer, position: number) {
    this.json = json;
    this.position = position;
  }

  atString(): boolean {
    return this.json[this.position] === quote;
  }

  /** Whether the key, quotes and colon in it, stands here. */
  isKey(key: Buffer): boolean {
    const { json, position } = this;
    if (json[position + 1] !== key[1] || json[position + key.length - 1] !== colon) return false;
    for (let at = key.length - 2; at > 1; at--) if (json[position + at] !== key[at]) return false;
    return true;
  }

  #expect(byte: number): void {
    if (this.json[this.position] !== byte) throw new UnexpectedJson();
    this.position++;
  }

  openObject(): void {
    this.#expect(openBrace);
  }

  closeObject(): void {
    this.#expect(closeBrace);
  }

  colon(): void {
    this.#expect(colon);
  }

  skipComma(): void {
    if (this.json[this.position] === comma) this.position++;
  }

  /** Whether there is a first item. */
  openList(): boolean {
    this.#expect(openBracket);
    return !this.#closesList();
  }

  nextItem(): boolean {
    if (this.#closesList()) return false;
    this.#expect(comma);
    return true;
  }

  #closesList(): boolean {
    if (this.json[this.position] !== closeBracket) return false;
    this.position++;
    return true;
  }

  skipNull(): boolean {
    if (this.json[this.position] !== letterN) return false;
    this.position += 4;
    return true;
  }

  skip(): void {
    this.position = skipValue(this.json, this.position);
  }

  /** The value here as text. */
  takeText(): string {
    const start = this.position;
    this.skip();
    return this.json.toString('utf8', start, this.position);
  }

  copyBoolean(out: ForwardOutput): void {
    const first = this.json[this.position];
    if (first !== letterT && first !== letterF) throw new UnexpectedJson();
    this.position += first === letterT ? 4 : 5;
    out.reserve(1);
    out.bytes[out.at++] = first === letterT ? 1 : 0;
  }

  /** Up to 15 digits, not below zero. */
  #takeInteger(): number {
    const start = this.position;
    let value = 0;
    for (; ; this.position++) {
      const digit = (this.json[this.position] as number) - 0x30;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
    }
    const length = this.position - start;
    const next = this.json[this.position];
    const ends = next === comma || next === closeBrace || next === closeBracket;
    if (length === 0 || length > 15 || !ends) throw new UnexpectedJson();
    return value;
  }

  copyInteger(out: ForwardOutput): void {
    out.reserve(0);
    if (this.json[this.position] !== minus) {
      out.varint(this.#takeInteger());
      return;
    }
    this.position++;
    let rest = BigInt.asUintN(64, -BigInt(this.#takeInteger()));
    for (; rest > 127n; rest >>= 7n) out.bytes[out.at++] = Number(rest & 127n) | 128;
    out.bytes[out.at++] = Number(rest);
  }

  /** Where the string that begins here ends: its closing quote, negative where it holds escapes. */
  #stringEnd(): number {
    const { json, position } = this;
    if (json[position] !== quote) throw new UnexpectedJson();
    const stepsEnd = Math.min(json.length, position + 48);
    let at = position + 1;
    for (; at < stepsEnd; at++) {
      const byte = json[at];
      if (byte === quote) return at;
      if (byte === backslash) return -this.#escapedEnd();
    }
    const end = json.indexOf(quote, at);
    if (end < 0) throw new UnexpectedJson();
    return json.subarray(at, end).includes(backslash) ? -this.#escapedEnd() : end;
  }

  #escapedEnd(): number {
    return skipValue(this.json, this.position) - 1;
  }

  /** A string, its length in front. */
  copyString(out: ForwardOutput): void {
    const end = this.#stringEnd();
    const start = this.position + 1;
    if (end > 0) {
      out.reserve(end - start);
      out.varint(end - start);
      out.copyRange(this.json, start, end);
      this.position = end + 1;
      return;
    }
    const text = JSON.parse(this.json.toString('utf8', this.position, -end + 1)) as string;
    out.reserve(text.length * 3);
    const begun = out.open();
    out.at += out.bytes.write(text, out.at, 'utf8');
    out.close(begun);
    this.position = -end + 1;
  }

  copyBase64(out: ForwardOutput): void {
    const end = this.#stringEnd();
    if (end < 0) throw new UnexpectedJson();
    const text = this.json.toString('latin1', this.position + 1, end);
    out.reserve(text.length);
    const begun = out.open();
    out.at += out.bytes.write(text, out.at, 'base64');
    out.close(begun);
    this.position = end + 1;
  }

  #digits(at: number, count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) {
      const digit = (this.json[this.position + at + i] as number) - 0x30;
      if (!(digit >= 0 && digit <= 9)) throw new UnexpectedJson();
      value = value * 10 + digit;
    }
    return value;
  }

  /** Seconds since the epoch of a time here: `"2006-01-02T15:04:05Z"`. */
  takeSeconds(): number {
    const { json, position } = this;
    if (json[position] !== quote || json[position + timeLength + 1] !== quote || json[position + timeLength] !== 0x5a) throw new UnexpectedJson();
    const milliseconds = Date.UTC(this.#digits(1, 4), this.#digits(6, 2) - 1, this.#digits(9, 2), this.#digits(12, 2), this.#digits(15, 2), this.#digits(18, 2));
    // The first century would be taken for the last one.
    if (milliseconds < 0 || json[position + 1] === 0x30) throw new UnexpectedJson();
    this.position = position + timeLength + 2;
    return milliseconds / 1000;
  }
}

const timeLength = 20;
