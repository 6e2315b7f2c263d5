import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { maxJsonDepth } from './scan.ts';

/** The error for an invalid JSON text, with the message of Go's encoding/json. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

const halfToken = /^in literal|numeric literal$|escape/;

/** A byte between single quotes, as Go shows it. */
function quoteByte(byte: number): string {
  if (byte === 0x27) return `'\\''`;
  if (byte === 0x22) return `'"'`;
  return `'${goQuote(String.fromCharCode(byte)).slice(1, -1)}'`;
}

/** Finds the error in a text that JSON.parse has refused, or that it cannot parse safely, and words it as Go does. */
class SyntaxFinder {
  readonly #bytes: Uint8Array;
  #at = 0;
  /** Open brackets: true for an object. */
  readonly #open: boolean[] = [];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The error message; undefined for a valid text. */
  find(): string | undefined {
    try {
      this.#walk();
    } catch (error) {
      if (error instanceof JsonSyntaxError) return error.message;
      throw error;
    }
    return undefined;
  }

  #fail(context: string): never {
    // At the end of the text Go's scanner reads one more blank, which is an error within an incomplete token.
    const byte = this.#bytes[this.#at] ?? (halfToken.test(context) ? 0x20 : undefined);
    throw new JsonSyntaxError(
      byte === undefined ? 'unexpected end of JSON input' : `invalid character ${quoteByte(byte)} ${context}`,
    );
  }

  #peek(): number | undefined {
    while (isSpace(this.#bytes[this.#at])) this.#at++;
    return this.#bytes[this.#at];
  }

  #walk(): void {
    do {
      this.#value();
    } while (this.#afterValue());
    if (this.#peek() !== undefined) this.#fail('after top-level value');
  }

  /** Reads to the end of a scalar or of an empty object or list, or into the first value within brackets. */
  #value(): void {
    for (;;) {
      const byte = this.#peek();
      if (byte !== 0x7b && byte !== 0x5b) return this.#scalar(byte);
      if (this.#open.length >= maxJsonDepth) this.#fail('exceeded max depth');
      this.#at++;
      const next = this.#peek();
      if (next === (byte === 0x7b ? 0x7d : 0x5d)) {
        this.#at++;
        return;
      }
      this.#open.push(byte === 0x7b);
      if (byte === 0x7b) this.#key();
    }
  }

  #key(): void {
    if (this.#peek() !== 0x22) this.#fail('looking for beginning of object key string');
    this.#string();
    if (this.#peek() !== 0x3a) this.#fail('after object key');
    this.#at++;
  }

  /** Closes brackets and passes a comma; false at the end of the top-level value. */
  #afterValue(): boolean {
    while (this.#open.length > 0) {
      const inObject = this.#open.at(-1) === true;
      const byte = this.#peek();
      if (byte === 0x2c) {
        this.#at++;
        if (inObject) this.#key();
        return true;
      }
      if (byte !== (inObject ? 0x7d : 0x5d))
        this.#fail(inObject ? 'after object key:value pair' : 'after array element');
      this.#at++;
      this.#open.pop();
    }
    return false;
  }

  #scalar(byte: number | undefined): void {
    if (byte === 0x22) return this.#string();
    if (byte === 0x2d || isDigit(byte)) return this.#number();
    if (byte === 0x74) return this.#literal('true');
    if (byte === 0x66) return this.#literal('false');
    if (byte === 0x6e) return this.#literal('null');
    this.#fail('looking for beginning of value');
  }

  #literal(word: string): void {
    for (let i = 0; i < word.length; i++, this.#at++) {
      if (this.#bytes[this.#at] !== word.charCodeAt(i)) this.#fail(`in literal ${word} (expecting '${word[i]}')`);
    }
  }

  #string(): void {
    this.#at++;
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined || byte < 0x20) this.#fail('in string literal');
      this.#at++;
      if (byte === 0x22) return;
      if (byte === 0x5c) this.#escape();
    }
  }

  #escape(): void {
    const byte = this.#bytes[this.#at];
    if (byte === undefined || !'bfnrt\\/"u'.includes(String.fromCharCode(byte))) this.#fail('in string escape code');
    this.#at++;
    if (byte !== 0x75) return;
    for (let i = 0; i < 4; i++, this.#at++) {
      if (!/^[0-9a-fA-F]$/.test(String.fromCharCode(this.#bytes[this.#at] ?? 0)))
        this.#fail('in \\u hexadecimal character escape');
    }
  }

  #number(): void {
    if (this.#bytes[this.#at] === 0x2d) this.#at++;
    if (this.#bytes[this.#at] === 0x30) this.#at++;
    else this.#digits('in numeric literal');
    if (this.#bytes[this.#at] === 0x2e) {
      this.#at++;
      this.#digits('after decimal point in numeric literal');
    }
    const exponent = this.#bytes[this.#at];
    if (exponent === 0x65 || exponent === 0x45) {
      this.#at++;
      if (this.#bytes[this.#at] === 0x2b || this.#bytes[this.#at] === 0x2d) this.#at++;
      this.#digits('in exponent of numeric literal');
    }
  }

  #digits(context: string): void {
    if (!isDigit(this.#bytes[this.#at])) this.#fail(context);
    while (isDigit(this.#bytes[this.#at])) this.#at++;
  }
}

/** Go's error message for an invalid JSON text; undefined for a valid one. */
export function findSyntaxError(bytes: Uint8Array): string | undefined {
  return new SyntaxFinder(bytes).find();
}
