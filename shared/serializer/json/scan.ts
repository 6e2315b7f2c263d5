import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { FieldReports } from './field-reports.ts';

/** The result of a byte-wise scan of a JSON text, which must be valid (see parse.ts). */
export interface ScanResult {
  /**
   * `duplicate field "metadata.labels.a"`, in document order, at most 100, each once; with `members`, unknown fields
   * are among them.
   */
  readonly strictErrors: string[];
  /** Whether the text has an integer of 16 digits or more, which a number may not hold exactly. */
  readonly largeIntegers: boolean;
  /**
   * Whether the text has a number whose spelling may matter: with a point or an exponent, a negative zero, or too many
   * digits for 64 bits.
   */
  readonly spelledNumbers: boolean;
}

export interface ScanOptions {
  /** Maximum nesting of objects and lists. */
  readonly maxDepth: number;
  /**
   * The known members of the objects, where the text is a list of objects: other members are reported as well (`unknown
   * field "[0].a"`), and their values are not checked.
   */
  readonly members?: ReadonlySet<string>;
}

/** Depth that Go's decoder allows. */
export const maxJsonDepth = 10_000;

/** The error for nesting beyond the limit, in the words of the reference's decoder. */
export class JsonDepthError extends Error {
  override readonly name = 'JsonDepthError';
  /** The bracket that exceeds the limit. */
  readonly bracket: '{' | '[';

  constructor(bracket: '{' | '[') {
    super(`invalid character '${bracket}' exceeded max depth`);
    this.bracket = bracket;
  }
}

/** An integer with this many digits may be beyond 64 bits. */
const hugeDigits = 19;
const quote = 0x22;
const backslash = 0x5c;
/** The keys of an object with more keys than this are checked in a Set. */
const linearKeys = 24;

/** One open object or list. Frames are reused, so that a scan allocates per depth, not per value. */
interface Frame {
  isObject: boolean;
  /** Index of the current item of a list. */
  index: number;
  /** Range of the current key, quotes left out. */
  keyStart: number;
  keyEnd: number;
  /** The index in the table of keys at which this object's keys begin. */
  base: number;
  /** Keys as text, once there are many keys or one with an escape. */
  seen: Set<string> | undefined;
}

class Scanner {
  readonly #bytes: Uint8Array;
  readonly #maxDepth: number;
  readonly #members: ReadonlySet<string> | undefined;
  /** Whether the scan is within the value of an unknown member. */
  #isUnknown = false;
  readonly #frames: Frame[] = [];
  #depth = 0;
  /** Hash, start and end of every key of the open objects. */
  #keys = new Int32Array(3 * 64);
  #keyCount = 0;
  /** The position where the next run starts. */
  #at = 0;
  #expectKey = false;
  readonly strictErrors = new FieldReports();
  largeIntegers = false;
  spelledNumbers = false;

  constructor(bytes: Uint8Array, { maxDepth, members }: ScanOptions) {
    this.#bytes = bytes;
    this.#maxDepth = maxDepth;
    this.#members = members;
  }

  /** Scans about `count` more bytes; returns false at the end. */
  run(count: number): boolean {
    const bytes = this.#bytes;
    const end = Math.min(this.#at + count, bytes.length);
    let expectKey = this.#expectKey;
    let i = this.#at;
    while (i < end) {
      const byte = bytes[i] as number;
      if (byte === quote) {
        i = expectKey ? this.#key(i + 1) : this.#skipString(i + 1);
        expectKey = false;
      } else if (byte === 0x7b || byte === 0x5b) {
        this.#open(byte === 0x7b);
        expectKey = byte === 0x7b;
        i++;
      } else if (byte === 0x7d || byte === 0x5d) {
        this.#close();
        expectKey = false;
        i++;
      } else if (byte === 0x2c) {
        const frame = this.#frames[this.#depth - 1];
        expectKey = frame?.isObject === true;
        if (frame !== undefined && !frame.isObject) frame.index++;
        i++;
      } else i = byte >= 0x30 && byte <= 0x39 ? this.#number(i) : i + 1;
    }
    this.#at = i;
    this.#expectKey = expectKey;
    return i < bytes.length;
  }

  #open(isObject: boolean): void {
    if (this.#depth >= this.#maxDepth) throw new JsonDepthError(isObject ? '{' : '[');
    const frame = this.#frames[this.#depth];
    if (frame === undefined)
      this.#frames.push({ isObject, index: 0, keyStart: 0, keyEnd: 0, base: this.#keyCount, seen: undefined });
    else {
      frame.isObject = isObject;
      frame.index = 0;
      frame.base = this.#keyCount;
      frame.seen = undefined;
    }
    this.#depth++;
  }

  #close(): void {
    if (this.#depth === 0) return;
    this.#depth--;
    this.#keyCount = (this.#frames[this.#depth] as Frame).base;
  }

  #skipString(start: number): number {
    const bytes = this.#bytes;
    let i = start;
    for (let byte = bytes[i]; byte !== quote && byte !== undefined; byte = bytes[i]) i += byte === backslash ? 2 : 1;
    return i + 1;
  }

  #number(start: number): number {
    const bytes = this.#bytes;
    let i = start;
    for (let byte = bytes[i] as number; byte >= 0x30 && byte <= 0x39; byte = bytes[i] as number) i++;
    const next = bytes[i];
    const isInteger = next !== 0x2e && next !== 0x65 && next !== 0x45;
    if (isInteger && i - start >= 16) this.largeIntegers = true;
    if (!isInteger || i - start >= hugeDigits || (bytes[start] === 0x30 && bytes[start - 1] === 0x2d))
      this.spelledNumbers = true;
    if (isInteger) return i;
    // The digits after a point or an exponent are not an integer of their own.
    for (
      let byte = bytes[i];
      byte !== undefined && byte > 0x20 && byte !== 0x2c && byte !== 0x5d && byte !== 0x7d;
      byte = bytes[i]
    )
      i++;
    return i;
  }

  #key(start: number): number {
    const bytes = this.#bytes;
    let hash = 0;
    let escaped = false;
    let i = start;
    for (let byte = bytes[i]; byte !== quote && byte !== undefined; byte = bytes[i]) {
      if (byte === backslash) {
        escaped = true;
        i += 2;
      } else {
        hash = (Math.imul(hash, 31) + byte) | 0;
        i++;
      }
    }
    const frame = this.#frames[this.#depth - 1];
    if (frame !== undefined) this.#record(frame, hash, start, i, escaped);
    return i + 1;
  }

  #record(frame: Frame, hash: number, start: number, end: number, escaped: boolean): void {
    frame.keyStart = start;
    frame.keyEnd = end;
    if (this.#members !== undefined && this.#depth === 2 && this.#frames[0]?.isObject === false) {
      this.#isUnknown = !this.#members.has(this.#text(start, end));
      if (this.#isUnknown) return this.#report('unknown');
    } else if (this.#isUnknown) return;
    if (frame.seen === undefined && (escaped || this.#keyCount - frame.base >= linearKeys))
      frame.seen = this.#keySet(frame);
    if (frame.seen !== undefined) {
      const text = this.#text(start, end);
      if (frame.seen.has(text)) this.#report('duplicate');
      else frame.seen.add(text);
      return;
    }
    if (this.#isKnown(frame, hash, start, end)) return this.#report('duplicate');
    this.#push(hash, start, end);
  }

  #push(hash: number, start: number, end: number): void {
    const at = this.#keyCount * 3;
    if (at === this.#keys.length) {
      const larger = new Int32Array(this.#keys.length * 2);
      larger.set(this.#keys);
      this.#keys = larger;
    }
    this.#keys[at] = hash;
    this.#keys[at + 1] = start;
    this.#keys[at + 2] = end;
    this.#keyCount++;
  }

  #isKnown(frame: Frame, hash: number, start: number, end: number): boolean {
    const keys = this.#keys;
    for (let at = frame.base * 3; at < this.#keyCount * 3; at += 3) {
      if (keys[at] === hash && this.#sameBytes(keys[at + 1] as number, keys[at + 2] as number, start, end)) return true;
    }
    return false;
  }

  #sameBytes(start: number, end: number, otherStart: number, otherEnd: number): boolean {
    if (end - start !== otherEnd - otherStart) return false;
    for (let i = 0; i < end - start; i++) if (this.#bytes[start + i] !== this.#bytes[otherStart + i]) return false;
    return true;
  }

  #keySet(frame: Frame): Set<string> {
    const seen = new Set<string>();
    for (let at = frame.base * 3; at < this.#keyCount * 3; at += 3)
      seen.add(this.#text(this.#keys[at + 1] as number, this.#keys[at + 2] as number));
    return seen;
  }

  #text(start: number, end: number): string {
    const raw = Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + start, end - start).toString('utf8');
    if (!raw.includes('\\')) return raw;
    try {
      return JSON.parse('"' + raw + '"') as string;
    } catch {
      // The text is invalid; the decoder that follows reports it.
      return raw;
    }
  }

  #report(kind: 'unknown' | 'duplicate'): void {
    if (!this.strictErrors.isOpen) return;
    let path = '';
    for (const frame of this.#frames.slice(0, this.#depth)) {
      if (frame.isObject) path += (path === '' ? '' : '.') + this.#text(frame.keyStart, frame.keyEnd);
      else path += `[${frame.index}]`;
    }
    this.strictErrors.add(kind, path);
  }
}

/** Bytes between two checks of the clock. */
const bytesOfStep = 64 * 1024;

/**
 * Scans the bytes of a valid JSON text without building values: depth, duplicate keys (compared exactly, as
 * sigs.k8s.io/json does), integers too large for a number.
 * @throws JsonDepthError beyond `maxDepth`
 */
export function* scanJson(bytes: Uint8Array, options: ScanOptions): Steps<ScanResult> {
  const scanner = new Scanner(bytes, options);
  while (scanner.run(bytesOfStep)) if (sliceIsOver()) yield;
  return {
    strictErrors: scanner.strictErrors.texts,
    largeIntegers: scanner.largeIntegers,
    spelledNumbers: scanner.spelledNumbers,
  };
}
