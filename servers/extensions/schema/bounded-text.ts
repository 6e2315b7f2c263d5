import { getKey, type JsonValue } from '#shared/apimachinery/json/json.ts';

/**
 * A text that two values share exactly if `deepEqual` calls them equal. Undefined if it has more characters than
 * `limit`; a large value is then read only as far as that takes.
 */
export function boundedText(value: JsonValue, limit: number): string | undefined {
  const writer = new Writer(limit);
  writer.write(value);
  return writer.text.length > limit ? undefined : writer.text;
}

class Writer {
  text = '';
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  write(value: JsonValue): void {
    if (typeof value === 'bigint') this.text += `${value}n`;
    // Without the sign of a negative zero, which equals zero.
    else if (typeof value === 'number') this.text += String(value);
    else if (typeof value !== 'object' || value === null) this.text += JSON.stringify(value);
    else if (Array.isArray(value)) this.#writeList(value);
    else {
      this.text += '{';
      for (const key of this.#keysOf(value)) {
        this.text += `${JSON.stringify(key)}:`;
        this.write(getKey(value, key) as JsonValue);
        if (this.text.length > this.#limit) return;
        this.text += ',';
      }
      this.text += '}';
    }
  }

  #writeList(list: readonly JsonValue[]): void {
    this.text += '[';
    for (const item of list) {
      this.write(item);
      if (this.text.length > this.#limit) return;
      this.text += ',';
    }
    this.text += ']';
  }

  /** The keys in order; not all of them if their number alone exceeds the limit. */
  #keysOf(object: Readonly<Record<string, JsonValue>>): string[] {
    const keys = Object.keys(object);
    return keys.length > this.#limit ? keys : keys.sort();
  }
}
