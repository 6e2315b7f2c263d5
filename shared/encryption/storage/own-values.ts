const maxValues = 256;
const maxBytes = 4 * 1024 * 1024;

interface OwnValue {
  readonly stored: Uint8Array;
  readonly plain: Uint8Array;
}

/**
 * Values that this process wrote a moment ago, before and after their encryption. Their events return to it, and need
 * not be decrypted. No two encrypted values are equal, so a value is found by its bytes. Holds 4 MiB at most.
 */
export class OwnValues {
  /** The latest of each key. */
  readonly #byKey = new Map<string, OwnValue>();
  #bytes = 0;

  add(key: string, stored: Uint8Array, plain: Uint8Array): void {
    this.#drop(key);
    this.#byKey.set(key, { stored, plain });
    this.#bytes += stored.length + plain.length;
    for (const oldest of this.#byKey.keys()) {
      if (this.#bytes <= maxBytes && this.#byKey.size <= maxValues) break;
      this.#drop(oldest);
    }
  }

  /** The value before its encryption, once; undefined for one of others. */
  take(key: string, stored: Uint8Array): Uint8Array | undefined {
    const own = this.#byKey.get(key);
    if (own === undefined || Buffer.compare(own.stored, stored) !== 0) return undefined;
    this.#drop(key);
    return own.plain;
  }

  #drop(key: string): void {
    const own = this.#byKey.get(key);
    if (own === undefined) return;
    this.#bytes -= own.stored.length + own.plain.length;
    this.#byKey.delete(key);
  }
}
