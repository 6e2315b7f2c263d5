import { hash } from 'node:crypto';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { goJson } from '#shared/apimachinery/text/go-format.ts';
import { truncateToInt64 } from '#shared/apimachinery/values/int64.ts';
import { looseText } from '#shared/serializer/json/loose.ts';
import { boundedText } from './bounded-text.ts';
import { isInteger } from './is-integer.ts';

/** Lists with a longer text are identified by a digest of it. */
const longText = 1024;

/**
 * The values of an `enum`. Everything is made at its first use and only once, as there may be 100,000 values, and as
 * many values that are checked against them.
 */
export class AllowedValues {
  readonly #list: readonly JsonValue[];
  #scalars: ReadonlySet<JsonValue> | undefined;
  #others: { readonly texts: ReadonlySet<string>; readonly longest: number } | undefined;
  #texts: readonly string[] | undefined;
  #identity: string | undefined;

  constructor(list: readonly JsonValue[]) {
    // Integers beyond int64 are float64 in Go.
    this.#list = list.map((item) => (typeof item === 'bigint' && !isInteger(item) ? Number(item) : item));
  }

  /** The values as an error lists them. */
  get texts(): readonly string[] {
    return (this.#texts ??= this.#list.map((item) => (typeof item === 'string' ? item : looseText(item))));
  }

  /** A text that differs for lists with different values. */
  get identity(): string {
    if (this.#identity !== undefined) return this.#identity;
    const text = goJson([...this.#list]);
    return (this.#identity = text.length > longText ? hash('sha256', text, 'base64') : text);
  }

  /**
   * Whether a value is equal to an allowed one, as it is or after Go's conversion to the type of the allowed value: a
   * float loses its fraction, an integer becomes a character. Null is never allowed.
   */
  has(given: JsonValue): boolean {
    if (given === null) return false;
    if (typeof given === 'object') return this.#hasOther(given);
    const value = typeof given === 'bigint' && !isInteger(given) ? Number(given) : given;
    const scalars = (this.#scalars ??= new Set(this.#list.filter((item) => typeof item !== 'object')));
    if (scalars.has(value)) return true;
    if (typeof value !== 'number' && typeof value !== 'bigint') return false;
    if (isInteger(value)) return scalars.has(characterOf(Number(value))) || scalars.has(Number(value));
    return scalars.has(truncateToInt64(value));
  }

  #hasOther(value: JsonValue): boolean {
    const { texts, longest } = (this.#others ??= this.#readOthers());
    const text = texts.size === 0 ? undefined : boundedText(value, longest);
    return text !== undefined && texts.has(text);
  }

  #readOthers(): { readonly texts: ReadonlySet<string>; readonly longest: number } {
    const texts = new Set<string>();
    let longest = 0;
    for (const item of this.#list) {
      const text = typeof item === 'object' && item !== null ? boundedText(item, Infinity) : undefined;
      if (text === undefined) continue;
      texts.add(text);
      longest = Math.max(longest, text.length);
    }
    return { texts, longest };
  }
}

function characterOf(code: number): string {
  return code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '\ufffd';
}
