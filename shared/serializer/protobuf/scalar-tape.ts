import { Buffer } from 'node:buffer';
import { skipValue } from '#shared/apimachinery/json/json-bytes.ts';
import { backslash, closeBrace, closeBracket, comma, quote } from '#shared/apimachinery/json/json-punctuation.ts';
import { RepeatedValues } from '#shared/apimachinery/json/repeated-values.ts';
import { delimitedLength, longestVarint, varintLength } from '#shared/protobuf/varint.ts';
import { secondsAt, timeLength } from './json-time.ts';
import { UnexpectedJson } from './message-shape.ts';

const minus = 0x2d;
const letterT = 0x74;
const letterF = 0x66;
const equals = 0x3d;
const rawValues = new RepeatedValues();
/** A string of this length or more, without escapes, is sent as a piece of its own, without a copy. */
export const longString = 32 * 1024;
/** The tape has an integer as two numbers: the quotient by this value, and the remainder. */
export const lowNumbers = 2 ** 28;
/** Longer strings are scanned by native code. */
const shortString = 64;

/** The tape of scalar values, with the reading position; `json-tape.ts` explains the numbers. */
export class ScalarTape {
  json: Buffer;
  numbers = new Int32Array(4096);
  /** Strings with escapes, decoded. */
  texts: string[] = [];
  /** Bytes of the strings that can be sent as views of the JSON, see {@link longString}. */
  longBytes = 0;
  protected top = 0;
  protected position = 0;
  /** Number of raw values of the object so far. */
  protected rawCount = 0;

  constructor(nothing: Buffer) {
    this.json = nothing;
  }

  protected reserve(count: number): void {
    if (this.top + count <= this.numbers.length) return;
    const grown = new Int32Array(Math.max(this.top + count, this.numbers.length * 2));
    grown.set(this.numbers);
    this.numbers = grown;
  }

  protected push(value: number): void {
    this.numbers[this.top++] = value;
  }

  protected expect(byte: number): void {
    if (this.json[this.position] !== byte) throw new UnexpectedJson();
    this.position++;
  }

  protected boolean(): number {
    const first = this.json[this.position];
    if (first !== letterT && first !== letterF) throw new UnexpectedJson();
    this.position += first === letterT ? 4 : 5;
    this.push(first === letterT ? 1 : 0);
    return 1;
  }

  protected integer(): number {
    const negative = this.json[this.position] === minus;
    if (negative) this.position++;
    const value = this.digits();
    this.push(value % lowNumbers);
    const high = Math.floor(value / lowNumbers);
    this.push(negative ? -1 - high : high);
    return negative ? longestVarint : varintLength(value);
  }

  /** Reads up to 15 digits. */
  protected digits(): number {
    const { json } = this;
    const start = this.position;
    let value = 0;
    let at = start;
    for (; ; at++) {
      const digit = (json[at] as number) - 0x30;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
    }
    this.position = at;
    const next = json[at];
    if (at === start || at - start > 15 || (next !== comma && next !== closeBrace && next !== closeBracket))
      throw new UnexpectedJson();
    return value;
  }

  protected time(): number {
    const seconds = secondsAt(this.json, this.position);
    this.position += timeLength;
    this.push(seconds % lowNumbers);
    this.push(Math.floor(seconds / lowNumbers));
    return varintLength(seconds);
  }

  protected intOrString(): number {
    const isText = this.json[this.position] === quote;
    this.push(isText ? 1 : 0);
    return delimitedLength(isText ? 5 + this.string() : 5 + this.integer());
  }

  protected raw(): number {
    const start = this.position;
    this.position = rawValues.end(this.json, start, this.rawCount++);
    const length = this.position - start;
    if (length >= longString) this.longBytes += length;
    this.push(start);
    this.push(length);
    return delimitedLength(1 + delimitedLength(length));
  }

  protected string(): number {
    const start = this.position + 1;
    const end = this.stringEnd();
    const length = end < 0 ? this.decode(-end) : end - start;
    if (end >= 0) {
      this.push(start);
      this.push(length);
      this.position = end + 1;
      if (length >= longString) this.longBytes += length;
    }
    return delimitedLength(length);
  }

  /** The position of the closing quote of the string at the current position, negated if the string has escapes. */
  protected stringEnd(): number {
    const { json } = this;
    const position = this.position;
    if (json[position] !== quote) throw new UnexpectedJson();
    const stepsEnd = Math.min(json.length, position + shortString);
    let at = position + 1;
    for (; at < stepsEnd; at++) {
      const byte = json[at];
      if (byte === quote) return at;
      if (byte === backslash) return 1 - skipValue(json, position);
    }
    const end = json.indexOf(quote, at);
    if (end < 0) throw new UnexpectedJson();
    return json.subarray(at, end).includes(backslash) ? 1 - skipValue(json, position) : end;
  }

  /** Decodes the string at the current position, which has escapes and ends at `end`. */
  protected decode(end: number): number {
    const text = JSON.parse(this.json.toString('utf8', this.position, end + 1)) as string;
    const length = Buffer.byteLength(text, 'utf8');
    this.push(-this.texts.push(text));
    this.push(length);
    this.position = end + 1;
    return length;
  }

  protected base64(): number {
    const { json } = this;
    const start = this.position + 1;
    const end = this.stringEnd();
    const textLength = end - start;
    if (end < 0 || textLength % 4 !== 0) throw new UnexpectedJson();
    const padding = textLength === 0 || json[end - 1] !== equals ? 0 : json[end - 2] === equals ? 2 : 1;
    const length = (textLength / 4) * 3 - padding;
    this.push(start);
    this.push(textLength);
    this.push(length);
    this.position = end + 1;
    return delimitedLength(length);
  }
}
