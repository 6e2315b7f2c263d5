import { Buffer } from 'node:buffer';
import { AlikeValues } from '../../apimachinery/alike-values.ts';
import { skipValue } from '../../apimachinery/json-bytes.ts';
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
} from '../../apimachinery/json-punctuation.ts';
import { parsePrinted } from '../json/parse.ts';
import { encodeProtobuf } from './encode.ts';
import {
  frameEnd,
  framePart,
  frameSize,
  frameUnlike,
  holds,
  messageOf,
  UnexpectedJson,
  valueOp,
  type Group,
  type Message,
  type Slot,
  type ValueOp,
} from './message-shape.ts';
import { secondsAt, timeLength } from './json-time.ts';

const minus = 0x2d;
const letterN = 0x6e;
const letterT = 0x74;
const letterF = 0x66;

const rawValues = new AlikeValues();

/** Where the JSON of a message stands, and its place in its list. */
interface Unlike {
  readonly ordinal: number;
  readonly start: number;
  readonly end: number;
}

/** The ordinal of values of maps: none of them is likely to be like the one before. */
const notInList = 0xffff;

/** Ever so many numbers are kept for the next object. */
const keptNumbers = 256 * 1024;
/** From here on a string without escapes is worth a piece of its own, of which nothing is copied. */
export const longString = 32 * 1024;
/** Room for any node but frames. */
const longestNode = 8;
/** Integers are kept as two numbers: what is above so many, and the rest. */
export const lowNumbers = 2 ** 28;

/**
 * What was read of an object's JSON, in one pass: where the values stand, and how long each message becomes. Nodes are
 *   string     where it begins and its bytes; one with escapes: -1 - its place in `texts`, and its bytes
 *   boolean    1 or 0            integer, time  see {@link lowNumbers}; -1 - above for a negative integer
 *   bytes      where the text begins, its length, bytes
 *   IntOrString  1 and a string, or 0 and an integer
 *   list       items, then each  map  entries, then of each: bytes of the entry, its key, its value
 *   struct     a frame           rare  its place in `parts`
 * A struct that is like one of late is a frame without members, see {@link frameSize}.
 */
export class JsonTape {
  json: Buffer;
  numbers = new Int32Array(4096);
  /** Strings that hold escapes, decoded. */
  texts: string[] = [];
  /** What is rare, with its tags, and messages that were made before. */
  parts: Uint8Array[] = [];
  /** Messages that are like none of late, and worth keeping. */
  unlike: Unlike[] = [];
  /** Of strings that may be sent as they stand in the JSON, see {@link longString}. */
  longBytes = 0;
  #top = 0;
  #position = 0;
  /** Raw values of the object so far. */
  #rawCount = 0;

  constructor(nothing: Buffer) {
    this.json = nothing;
  }

  /** Reads the object that begins at `at`; returns the size of its message, whose frame is the first of the tape. */
  readObject(json: Buffer, at: number, message: Message): number {
    this.json = json;
    this.#position = at;
    this.#rawCount = 0;
    this.longBytes = 0;
    return this.#object(message);
  }

  reset(nothing: Buffer): void {
    this.json = nothing;
    this.#top = 0;
    // What is longer is rare, and must not hold its memory for the life of the process.
    if (this.numbers.length > keptNumbers) this.numbers = new Int32Array(4096);
    if (this.texts.length > 0) this.texts = [];
    if (this.parts.length > 0) this.parts = [];
    if (this.unlike.length > 0) this.unlike = [];
  }

  #reserve(count: number): void {
    if (this.#top + count <= this.numbers.length) return;
    const grown = new Int32Array(Math.max(this.#top + count, this.numbers.length * 2));
    grown.set(this.numbers);
    this.numbers = grown;
  }

  #push(value: number): void {
    this.numbers[this.#top++] = value;
  }

  #expect(byte: number): void {
    if (this.json[this.#position] !== byte) throw new UnexpectedJson();
    this.#position++;
  }

  #object(message: Message): number {
    const { json } = this;
    const { slots, frame } = message;
    this.#expect(openBrace);
    const base = this.#top;
    this.#reserve(frame.length + longestNode);
    for (let i = 0; i < frame.length; i++) this.numbers[base + i] = frame[i] as number;
    this.#top = base + frame.length;
    for (let next = 0; json[this.#position] === quote;) {
      const index = findSlot(json, this.#position, slots, next);
      const slot = slots[index] as Slot;
      next = index + 1;
      this.#position += slot.keyLength;
      if (json[this.#position] === letterN) this.#position += 4;
      else this.#member(base, slot);
      if (json[this.#position] === comma) this.#position++;
    }
    this.#expect(closeBrace);
    return this.#closeFrame(base, message.groups);
  }

  #closeFrame(base: number, groups: readonly Group[]): number {
    const { numbers } = this;
    for (let i = 0; i < groups.length; i++) {
      const { tag, sizePlace, parentSizePlace } = groups[i] as Group;
      const size = numbers[base + sizePlace] as number;
      numbers[base + parentSizePlace] =
        (numbers[base + parentSizePlace] as number) + tag.length + varintLength(size) + size;
    }
    numbers[base + frameEnd] = this.#top;
    return numbers[base + frameSize] as number;
  }

  #member(base: number, slot: Slot): void {
    if (slot.holds === holds.nothing) {
      this.#position = skipValue(this.json, this.#position);
      return;
    }
    const node = this.#top;
    const size = this.#content(slot);
    const { numbers } = this;
    numbers[base + slot.place] = node;
    numbers[base + slot.sizePlace] = (numbers[base + slot.sizePlace] as number) + size - slot.zero.length;
  }

  /** Bytes with the tags. */
  #content(slot: Slot): number {
    switch (slot.holds) {
      case holds.one:
        return slot.tag.length + this.#value(slot.op, slot, 0);
      case holds.list:
        return this.#list(slot);
      case holds.map:
        return this.#map(slot);
      default:
        return this.#rare(slot);
    }
  }

  #list(slot: Slot): number {
    const { json } = this;
    this.#expect(openBracket);
    const node = this.#top;
    this.#reserve(longestNode);
    this.#push(0);
    let count = 0;
    let size = 0;
    for (; json[this.#position] !== closeBracket; count++) {
      if (count > 0) this.#expect(comma);
      size += slot.tag.length + this.#value(slot.op, slot, count);
    }
    this.#position++;
    this.numbers[node] = count;
    return size;
  }

  #map(slot: Slot): number {
    const { json } = this;
    this.#expect(openBrace);
    const node = this.#top;
    this.#reserve(longestNode);
    this.#push(0);
    let count = 0;
    let size = 0;
    for (; json[this.#position] === quote; count++) {
      this.#reserve(longestNode);
      const entry = this.#top++;
      const keySize = this.#string();
      this.#expect(colon);
      const entrySize = 2 + keySize + this.#value(slot.op, slot, notInList);
      this.numbers[entry] = entrySize;
      size += slot.tag.length + varintLength(entrySize) + entrySize;
      if (json[this.#position] === comma) this.#position++;
    }
    this.#expect(closeBrace);
    this.numbers[node] = count;
    return size;
  }

  #rare({ alone, name }: Slot): number {
    const start = this.#position;
    this.#position = skipValue(this.json, start);
    const part = encodeProtobuf(alone, { [name]: parsePrinted(this.json.toString('utf8', start, this.#position)) });
    this.#reserve(longestNode);
    this.#push(this.parts.push(part) - 1);
    return part.length;
  }

  /** Bytes without the tag, with the length in front. @param ordinal in its list */
  #value(op: ValueOp, slot: Slot, ordinal: number): number {
    this.#reserve(longestNode);
    switch (op) {
      case valueOp.string:
        return this.#string();
      case valueOp.bool:
        return this.#boolean();
      case valueOp.integer:
        return this.#integer();
      case valueOp.bytes:
        return this.#base64();
      case valueOp.boxed:
        return delimitedLength(1 + this.#string());
      case valueOp.raw:
        return this.#raw();
      case valueOp.intOrString:
        return this.#intOrString();
      case valueOp.time:
        return delimitedLength(3 + this.#time());
      case valueOp.struct:
        return delimitedLength(this.#struct(slot, ordinal));
    }
  }

  #struct({ alike, schema }: Slot, ordinal: number): number {
    const start = this.#position;
    const base = this.#top;
    const known = alike.find(this.json, start, ordinal);
    if (known !== undefined) {
      this.#position = start + known.json.length;
      this.numbers[base + frameEnd] = base + framePart + 1;
      this.numbers[base + frameSize] = -1 - known.bytes.length;
      this.numbers[base + framePart] = this.parts.push(known.bytes) - 1;
      this.#top = base + framePart + 1;
      return known.bytes.length;
    }
    const size = this.#object(messageOf(schema as NonNullable<Slot['schema']>));
    if (alike.wants(ordinal, this.#position - start))
      this.numbers[base + frameUnlike] = this.unlike.push({ ordinal, start, end: this.#position });
    return size;
  }

  #boolean(): number {
    const first = this.json[this.#position];
    if (first !== letterT && first !== letterF) throw new UnexpectedJson();
    this.#position += first === letterT ? 4 : 5;
    this.#push(first === letterT ? 1 : 0);
    return 1;
  }

  #integer(): number {
    const negative = this.json[this.#position] === minus;
    if (negative) this.#position++;
    const value = this.#digits();
    this.#push(value % lowNumbers);
    const high = Math.floor(value / lowNumbers);
    this.#push(negative ? -1 - high : high);
    return negative ? longestVarint : wideVarintLength(value);
  }

  /** Up to 15 of them. */
  #digits(): number {
    const { json } = this;
    const start = this.#position;
    let value = 0;
    let at = start;
    for (; ; at++) {
      const digit = (json[at] as number) - 0x30;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
    }
    this.#position = at;
    const next = json[at];
    if (at === start || at - start > 15 || (next !== comma && next !== closeBrace && next !== closeBracket))
      throw new UnexpectedJson();
    return value;
  }

  #time(): number {
    const seconds = secondsAt(this.json, this.#position);
    this.#position += timeLength;
    this.#push(seconds % lowNumbers);
    this.#push(Math.floor(seconds / lowNumbers));
    return wideVarintLength(seconds);
  }

  #intOrString(): number {
    const isText = this.json[this.#position] === quote;
    this.#push(isText ? 1 : 0);
    return delimitedLength(isText ? 5 + this.#string() : 5 + this.#integer());
  }

  #raw(): number {
    const start = this.#position;
    this.#position = rawValues.end(this.json, start, this.#rawCount++);
    const length = this.#position - start;
    if (length >= longString) this.longBytes += length;
    this.#push(start);
    this.#push(length);
    return delimitedLength(1 + delimitedLength(length));
  }

  #string(): number {
    const start = this.#position + 1;
    const end = this.#stringEnd();
    const length = end < 0 ? this.#decode(-end) : end - start;
    if (end >= 0) {
      this.#push(start);
      this.#push(length);
      this.#position = end + 1;
      if (length >= longString) this.longBytes += length;
    }
    return varintLength(length) + length;
  }

  /** Where the string that begins here ends: its closing quote, negative where it holds escapes. */
  #stringEnd(): number {
    const { json } = this;
    const position = this.#position;
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

  /** The string here holds escapes and ends at `end`. */
  #decode(end: number): number {
    const text = JSON.parse(this.json.toString('utf8', this.#position, end + 1)) as string;
    const length = Buffer.byteLength(text, 'utf8');
    this.#push(-this.texts.push(text));
    this.#push(length);
    this.#position = end + 1;
    return length;
  }

  #base64(): number {
    const { json } = this;
    const start = this.#position + 1;
    const end = this.#stringEnd();
    const textLength = end - start;
    if (end < 0 || textLength % 4 !== 0) throw new UnexpectedJson();
    const padding = textLength === 0 || json[end - 1] !== equals ? 0 : json[end - 2] === equals ? 2 : 1;
    const length = (textLength / 4) * 3 - padding;
    this.#push(start);
    this.#push(textLength);
    this.#push(length);
    this.#position = end + 1;
    return delimitedLength(length);
  }
}

const equals = 0x3d;
export const longestVarint = 10;
/** Longer strings are looked through by native code. */
const shortString = 64;

/** The slot of the key at `position`, from `next` on. */
function findSlot(json: Buffer, position: number, slots: readonly Slot[], next: number): number {
  const first = json[position + 1];
  for (let index = next; index < slots.length; index++) {
    const slot = slots[index] as Slot;
    if (slot.first === first && json[position + slot.keyLength - 1] === colon && isKey(json, position, slot.key))
      return index;
  }
  throw new UnexpectedJson();
}

function isKey(json: Buffer, position: number, key: Buffer): boolean {
  for (let at = key.length - 2; at > 1; at--) if (json[position + at] !== key[at]) return false;
  return true;
}

/** Bytes of a number below 2^31. */
export function varintLength(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5;
}

function delimitedLength(length: number): number {
  return varintLength(length) + length;
}

function wideVarintLength(value: number): number {
  return value < lowNumbers ? varintLength(value) : 4 + varintLength(Math.floor(value / lowNumbers));
}
