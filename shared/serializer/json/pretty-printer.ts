import { countShortLived } from '#shared/apimachinery/bytes/short-lived-bytes.ts';
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
} from '#shared/apimachinery/json/json-punctuation.ts';

const newline = 0x0a;
const space = 0x20;

/** The state after the last byte, since the input may be cut anywhere. */
const outside = 0;
const inString = 1;
const afterBackslash = 2;
/** After an opening bracket, which may be closed at once. */
const afterOpening = 3;

/** The first bytes of a string, up to this many, are scanned one by one, the rest by native code. */
const shortString = 48;
/** Size of an output buffer: allocating many small buffers costs more than the printing. */
const blockBytes = 80 * 1024;
const takenFrom = 64 * 1024;

/**
 * Indents compact JSON by two spaces as Go's `json.MarshalIndent` prints it (`?pretty`, curl, browsers), as the input
 * arrives. Strings and numbers are copied as they are; there is no line break at the end.
 */
export class PrettyPrinter {
  #state = outside;
  #depth = 0;
  #out = Buffer.allocUnsafe(blockBytes);
  #at = 0;

  /** Prints the next bytes, which may end anywhere; returns how many printed bytes can be taken. */
  push(bytes: Uint8Array): number {
    for (let from = 0; from < bytes.length;)
      from =
        this.#state === inString || this.#state === afterBackslash
          ? this.#string(bytes, from)
          : this.#tokens(bytes, from);
    return this.#at;
  }

  /** The bytes printed since the last call. */
  take(): Buffer {
    const taken = this.#out.subarray(0, this.#at);
    countShortLived(this.#out.length);
    this.#out = Buffer.allocUnsafe(blockBytes);
    this.#at = 0;
    return taken;
  }

  /** Copies the bytes of a string; returns the position where they end. */
  #string(bytes: Uint8Array, start: number): number {
    let at = start;
    if (this.#state === afterBackslash) {
      at++;
      this.#state = inString;
    }
    let stepsEnd = Math.min(bytes.length, at + shortString);
    for (;;) {
      const byte = at < stepsEnd ? bytes[at] : undefined;
      if (byte === undefined) {
        at = nextQuoteOrBackslash(bytes, at);
        if (at === bytes.length) break;
        if (bytes[at] === quote) {
          at++;
          this.#state = outside;
          break;
        }
      } else if (byte === quote) {
        at++;
        this.#state = outside;
        break;
      } else if (byte !== backslash) {
        at++;
        continue;
      }
      // A backslash and the character that it escapes.
      at += 2;
      stepsEnd = Math.min(bytes.length, at + shortString);
      if (at <= bytes.length) continue;
      at = bytes.length;
      this.#state = afterBackslash;
      break;
    }
    this.#copy(bytes, start, at);
    return at;
  }

  /** Prints the tokens outside of strings; returns the position where a string begins, or the end. */
  #tokens(bytes: Uint8Array, start: number): number {
    this.#reserve((bytes.length - start) * 2);
    let out = this.#out;
    let o = this.#at;
    let at = start;
    for (; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      const closes = byte === closeBrace || byte === closeBracket;
      if (this.#state === afterOpening) {
        this.#state = outside;
        if (!closes) {
          this.#depth++;
          o = this.#breakLine(o, bytes.length - at);
          out = this.#out;
        }
      } else if (closes) {
        this.#depth--;
        o = this.#breakLine(o, bytes.length - at);
        out = this.#out;
      }
      out[o++] = byte;
      if (byte === quote) {
        this.#state = inString;
        at++;
        break;
      }
      if (byte === colon) out[o++] = space;
      else if (byte === comma) {
        o = this.#breakLine(o, bytes.length - at);
        out = this.#out;
      } else if (byte === openBrace || byte === openBracket) this.#state = afterOpening;
    }
    this.#at = o;
    return at;
  }

  /**
   * Writes a line break and the indentation at `o`; returns the position after it. Keeps room for `rest` more bytes of
   * input.
   */
  #breakLine(o: number, rest: number): number {
    const spaces = this.#depth * 2;
    if (o + spaces + rest * 2 + slack > this.#out.length) {
      this.#at = o;
      this.#reserve(spaces + rest * 2);
    }
    const out = this.#out;
    out[o] = newline;
    const end = o + 1 + spaces;
    if (spaces < 64) for (let at = o + 1; at < end; at++) out[at] = space;
    else out.fill(space, o + 1, end);
    return end;
  }

  #copy(bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    this.#reserve(length);
    const out = this.#out;
    let o = this.#at;
    if (length < shortString) for (let at = start; at < end; at++) out[o++] = bytes[at] as number;
    else out.set(bytes.subarray(start, end), o);
    this.#at += length;
  }

  /** Makes room for this many more bytes. */
  #reserve(bytes: number): void {
    if (this.#at + bytes + slack <= this.#out.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#out.length * 2, this.#at + bytes + slack));
    this.#out.copy(grown, 0, 0, this.#at);
    this.#out = grown;
  }
}

const slack = 8;

/** Native code searches this many bytes at a time, so that a text full of escapes is not searched again and again. */
const windowBytes = 1024;

/** The next quote or backslash, or the end. */
function nextQuoteOrBackslash(bytes: Uint8Array, start: number): number {
  for (let from = start; from < bytes.length; from += windowBytes) {
    const window = bytes.subarray(from, from + windowBytes);
    const end = window.indexOf(quote);
    const escape = (end < 0 ? window : window.subarray(0, end)).indexOf(backslash);
    if (escape >= 0) return from + escape;
    if (end >= 0) return from + end;
  }
  return bytes.length;
}

const sliceBytes = 32 * 1024;

/** The indented form of pieces, in pieces. */
export function* prettyPieces(pieces: Iterable<Uint8Array>): Generator<Uint8Array, void> {
  const printer = new PrettyPrinter();
  for (const piece of pieces) {
    if (piece.length === 0) yield piece;
    for (let at = 0; at < piece.length; at += sliceBytes) {
      if (printer.push(piece.length <= sliceBytes ? piece : piece.subarray(at, at + sliceBytes)) >= takenFrom)
        yield printer.take();
    }
  }
  yield printer.take();
}

/** The indented form of a whole text. */
export function prettyJson(compact: string): string {
  const printer = new PrettyPrinter();
  printer.push(Buffer.from(compact, 'utf8'));
  return printer.take().toString('utf8');
}
