import { CborError, major, majorName, notAccepted } from './cbor-error.ts';
import { halfValue } from './half-float.ts';

/** Limit of nesting of arrays, maps and tags; the same as for JSON. */
const maxDepth = 10_000;
const maxArrayItems = 2 ** 31 - 1;
const maxMapPairs = 2 ** 21;
const breakByte = 0xff;
const indefinite = 31;

/** An array, map or chunked string that is not complete yet. */
interface Open {
  readonly type: number;
  readonly depth: number;
  /** Items still to come; -1 until a break. */
  left: number;
  seen: number;
}

/** Checks bytes without building values; without recursion, since the client decides the nesting. */
class Checker {
  readonly #bytes: Buffer;
  readonly #open: Open[] = [];
  at = 0;
  #argument = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  run(): void {
    if (this.#bytes.length === 0) throw new CborError('EOF');
    this.#item();
    for (let top = this.#open.at(-1); top !== undefined; top = this.#open.at(-1)) {
      if (this.#isComplete(top)) this.#open.pop();
      else this.#item();
    }
  }

  #isComplete(top: Open): boolean {
    if (top.left >= 0) return top.left-- === 0;
    if (this.#byteAt(this.at) !== breakByte) {
      top.seen++;
      if (top.type === major.array && top.seen > maxArrayItems) throw tooMany(top.type);
      if (top.type === major.map && top.seen > 2 * maxMapPairs) throw tooMany(top.type);
      return false;
    }
    if (top.type === major.map && top.seen % 2 === 1) throw new CborError('cbor: unexpected "break" code');
    this.at++;
    return true;
  }

  #byteAt(at: number): number {
    const byte = this.#bytes[at];
    if (byte === undefined) throw new CborError('unexpected EOF');
    return byte;
  }

  #item(): void {
    const top = this.#open.at(-1);
    let depth = top?.depth ?? 0;
    if (top !== undefined && top.type <= major.text) this.#checkChunk(top.type);
    let type = this.#head();
    if (type === major.tag) {
      depth = this.#tags(depth);
      type = this.#head();
    }
    const isIndefinite = (this.#byteAt(this.#headAt) & 31) === indefinite;
    switch (type) {
      case major.bytes:
      case major.text:
        if (isIndefinite) this.#open.push({ type, depth, left: -1, seen: 0 });
        else this.#skip(type);
        break;
      case major.array:
      case major.map:
        this.#container(type, depth + 1, isIndefinite);
        break;
      default:
    }
  }

  #headAt = 0;

  /** Checks nested tags and returns their depth; the outermost tag does not count as a level. */
  #tags(depth: number): number {
    for (let inner = depth; ; inner++) {
      const next = this.#byteAt(this.at);
      if (this.#argument === 2 || this.#argument === 3) throw notAccepted(major.tag, 'bignum');
      if (next >> 5 !== major.tag) return inner;
      this.#head();
      if (inner >= maxDepth) throw tooDeep();
    }
  }

  #checkChunk(type: number): void {
    const next = this.#byteAt(this.at);
    if (next >> 5 !== type)
      throw new CborError(`cbor: wrong element type ${majorName(next >> 5)} for indefinite-length ${majorName(type)}`);
    if ((next & 31) === indefinite)
      throw new CborError(`cbor: indefinite-length ${majorName(type)} chunk is not definite-length`);
  }

  #skip(type: number): void {
    if (this.#isHuge)
      throw new CborError(
        `cbor: ${majorName(type)} length ${this.#exactArgument()} is too large, causing integer overflow`,
      );
    if (this.#bytes.length - this.at < this.#argument) throw new CborError('unexpected EOF');
    this.at += this.#argument;
  }

  #container(type: number, depth: number, isIndefinite: boolean): void {
    if (depth > maxDepth) throw tooDeep();
    if (isIndefinite) {
      this.#open.push({ type, depth, left: -1, seen: 0 });
      return;
    }
    const count = this.#argument;
    if (this.#isHuge)
      throw new CborError(
        `cbor: ${majorName(type)} length ${this.#exactArgument()} is too large, it would cause integer overflow`,
      );
    if (count > (type === major.array ? maxArrayItems : maxMapPairs)) throw tooMany(type);
    this.#open.push({ type, depth, left: type === major.map ? 2 * count : count, seen: 0 });
  }

  /** Whether the argument is beyond int64. */
  get #isHuge(): boolean {
    return this.#argument >= 2 ** 63 && (this.#bytes[this.#headAt + 1] as number) >= 0x80;
  }

  #exactArgument(): bigint {
    return this.#bytes.readBigUInt64BE(this.#headAt + 1);
  }

  /** Reads a head and returns its major type. */
  #head(): number {
    this.#headAt = this.at;
    const first = this.#byteAt(this.at++);
    const type = first >> 5;
    const info = first & 31;
    if (info < 24) {
      this.#argument = info;
      return type;
    }
    if (info > 27) {
      if (info === indefinite && type === major.other) throw new CborError('cbor: unexpected "break" code');
      if (info !== indefinite || type <= major.negative || type === major.tag) {
        throw new CborError(`cbor: invalid additional information ${info} for type ${majorName(type)}`);
      }
      return type;
    }
    const size = 2 ** (info - 24);
    if (this.#bytes.length - this.at < size) throw new CborError('unexpected EOF');
    this.#argument = size === 8 ? Number(this.#bytes.readBigUInt64BE(this.at)) : this.#bytes.readUIntBE(this.at, size);
    if (type === major.other) this.#checkSimple(info);
    this.at += size;
    return type;
  }

  #checkSimple(info: number): void {
    if (info === 24) {
      if (this.#argument < 32)
        throw new CborError(`cbor: invalid simple value ${this.#argument} for type ${majorName(major.other)}`);
      return;
    }
    const value =
      info === 25
        ? halfValue(this.#argument)
        : info === 26
          ? this.#bytes.readFloatBE(this.at)
          : this.#bytes.readDoubleBE(this.at);
    if (Number.isNaN(value)) throw notAccepted(major.other, 'floating-point NaN');
    if (!Number.isFinite(value)) throw notAccepted(major.other, 'floating-point infinity');
  }
}

function tooDeep(): CborError {
  return new CborError(`cbor: exceeded max nested level ${maxDepth}`);
}

function tooMany(type: number): CborError {
  return new CborError(
    type === major.array
      ? `cbor: exceeded max number of elements ${maxArrayItems} for CBOR array`
      : `cbor: exceeded max number of key-value pairs ${maxMapPairs} for CBOR map`,
  );
}

/**
 * Checks that bytes are one well-formed data item and within the limits of the API (apimachinery's
 * serializer/cbor/internal/modes): nesting, counts, no bignums, no floats without a JSON form. Later readers need no
 * bounds checks.
 * @throws CborError
 */
export function checkWellFormed(bytes: Buffer): void {
  const checker = new Checker(bytes);
  checker.run();
  const { at } = checker;
  if (at < bytes.length)
    throw new CborError(`cbor: ${bytes.length - at} bytes of extraneous data starting at index ${at}`);
}
