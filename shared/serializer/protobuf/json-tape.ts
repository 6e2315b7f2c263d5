import type { Buffer } from 'node:buffer';
import { skipValue } from '#shared/apimachinery/json/json-bytes.ts';
import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
} from '#shared/apimachinery/json/json-punctuation.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { delimitedLength } from '#shared/protobuf/varint.ts';
import { parsePrinted } from '#shared/serializer/json/parse.ts';
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
import { ScalarTape } from './scalar-tape.ts';

const letterN = 0x6e;

/** A message without a similar recent one: the range of its JSON, and its place in its list. */
interface Unlike {
  readonly ordinal: number;
  readonly start: number;
  readonly end: number;
}

/** The ordinal for values of maps, which are not expected to resemble the previous one. */
const notInList = 0xffff;

/** Capacity of the tape that is kept for the next object. */
const keptNumbers = 256 * 1024;
/** Maximum size of a node other than a frame, in numbers. */
const longestNode = 8;

/**
 * The result of one pass over an object's JSON: the positions of the values, and the length of each message. Nodes are
 *   string     its start and length in bytes; with escapes: -1 - its place in `texts`, and its length in bytes
 *   boolean    1 or 0
 *   integer, time  the remainder and the quotient by `lowNumbers`; -1 - quotient for a negative integer
 *   bytes      the start of the base64 text, its length, the number of bytes
 *   IntOrString  1 and a string, or 0 and an integer
 *   list       the number of items, then each item
 *   map        the number of entries, then for each: its size in bytes, its key, its value
 *   struct     a frame           rare           its place in `parts`
 * A struct that equals a recently encoded one is a frame without members, see {@link frameSize}.
 */
export class JsonTape extends ScalarTape {
  /** Encoded rare values with their tags, and messages that were encoded before. */
  parts: Uint8Array[] = [];
  /** Messages that resemble no recent one and are worth keeping. */
  unlike: Unlike[] = [];

  /** Reads the object that begins at `at`; returns the size of its message, whose frame is the first of the tape. */
  readObject(json: Buffer, at: number, message: Message): number {
    this.json = json;
    this.position = at;
    this.rawCount = 0;
    this.longBytes = 0;
    return this.#object(message);
  }

  reset(nothing: Buffer): void {
    this.json = nothing;
    this.top = 0;
    // The memory of a rare longer tape must not stay allocated for the life of the process.
    if (this.numbers.length > keptNumbers) this.numbers = new Int32Array(4096);
    if (this.texts.length > 0) this.texts = [];
    if (this.parts.length > 0) this.parts = [];
    if (this.unlike.length > 0) this.unlike = [];
  }

  #object(message: Message): number {
    const { json } = this;
    const { slots, frame } = message;
    this.expect(openBrace);
    const base = this.top;
    this.reserve(frame.length + longestNode);
    for (let i = 0; i < frame.length; i++) this.numbers[base + i] = frame[i] as number;
    this.top = base + frame.length;
    for (let next = 0; json[this.position] === quote;) {
      const index = findSlot(json, this.position, slots, next);
      const slot = slots[index] as Slot;
      next = index + 1;
      this.position += slot.keyLength;
      if (json[this.position] !== letterN) this.#member(base, slot);
      else if (slot.takesNull) throw new UnexpectedJson();
      else this.position += 4;
      if (json[this.position] === comma) this.position++;
    }
    this.expect(closeBrace);
    return this.#closeFrame(base, message.groups);
  }

  #closeFrame(base: number, groups: readonly Group[]): number {
    const { numbers } = this;
    for (let i = 0; i < groups.length; i++) {
      const { tag, sizePlace, parentSizePlace } = groups[i] as Group;
      const size = numbers[base + sizePlace] as number;
      numbers[base + parentSizePlace] =
        (numbers[base + parentSizePlace] as number) + tag.length + delimitedLength(size);
    }
    numbers[base + frameEnd] = this.top;
    return numbers[base + frameSize] as number;
  }

  #member(base: number, slot: Slot): void {
    if (slot.holds === holds.nothing) {
      this.position = skipValue(this.json, this.position);
      return;
    }
    const node = this.top;
    const size = this.#content(slot);
    const { numbers } = this;
    numbers[base + slot.place] = node;
    numbers[base + slot.sizePlace] = (numbers[base + slot.sizePlace] as number) + size - slot.zero.length;
  }

  /** Reads a member; returns its size in bytes with the tags. */
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
    this.expect(openBracket);
    const node = this.top;
    this.reserve(longestNode);
    this.push(0);
    let count = 0;
    let size = 0;
    for (; json[this.position] !== closeBracket; count++) {
      if (count > 0) this.expect(comma);
      size += slot.tag.length + this.#value(slot.op, slot, count);
    }
    this.position++;
    this.numbers[node] = count;
    return size;
  }

  #map(slot: Slot): number {
    const { json } = this;
    this.expect(openBrace);
    const node = this.top;
    this.reserve(longestNode);
    this.push(0);
    let count = 0;
    let size = 0;
    for (; json[this.position] === quote; count++) {
      this.reserve(longestNode);
      const entry = this.top++;
      const keySize = this.string();
      this.expect(colon);
      const entrySize = 2 + keySize + this.#value(slot.op, slot, notInList);
      this.numbers[entry] = entrySize;
      size += slot.tag.length + delimitedLength(entrySize);
      if (json[this.position] === comma) this.position++;
    }
    this.expect(closeBrace);
    this.numbers[node] = count;
    return size;
  }

  #rare({ alone, name }: Slot): number {
    const start = this.position;
    this.position = skipValue(this.json, start);
    const part = encodeProtobuf(alone, {
      [name]: atOnce(parsePrinted(this.json.toString('utf8', start, this.position))),
    });
    this.reserve(longestNode);
    this.push(this.parts.push(part) - 1);
    return part.length;
  }

  /**
   * Reads a value; returns its size in bytes without the tag, with the length in front. @param ordinal the place in its
   * list
   */
  #value(op: ValueOp, slot: Slot, ordinal: number): number {
    this.reserve(longestNode);
    switch (op) {
      case valueOp.string:
        return this.string();
      case valueOp.bool:
        return this.boolean();
      case valueOp.integer:
        return this.integer();
      case valueOp.bytes:
        return this.base64();
      case valueOp.boxed:
        return delimitedLength(1 + this.string());
      case valueOp.raw:
        return this.raw();
      case valueOp.intOrString:
        return this.intOrString();
      case valueOp.time:
        return delimitedLength(3 + this.time());
      case valueOp.struct:
        return delimitedLength(this.#struct(slot, ordinal));
    }
  }

  #struct({ alike, schema }: Slot, ordinal: number): number {
    const start = this.position;
    const base = this.top;
    const known = alike.find(this.json, start, ordinal);
    if (known !== undefined) {
      this.position = start + known.json.length;
      this.numbers[base + frameEnd] = base + framePart + 1;
      this.numbers[base + frameSize] = -1 - known.bytes.length;
      this.numbers[base + framePart] = this.parts.push(known.bytes) - 1;
      this.top = base + framePart + 1;
      return known.bytes.length;
    }
    const size = this.#object(messageOf(schema as NonNullable<Slot['schema']>));
    if (alike.wants(ordinal, this.position - start))
      this.numbers[base + frameUnlike] = this.unlike.push({ ordinal, start, end: this.position });
    return size;
  }
}

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
