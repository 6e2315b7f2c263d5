import { CelDouble, CelMap, CelUint, type Value } from './value.ts';

/** A map made of entries by an expression or a function. A key that is set again keeps its place. */
export class EntryMap extends CelMap {
  readonly #entries = new Map<string | number | bigint | boolean, [Value, Value]>();
  /** Uints have entries of their own, though an int that equals one finds it. */
  #uints: Map<number | bigint, [Value, Value]> | undefined;

  static of(entries: Iterable<readonly [Value, Value]>): EntryMap {
    const map = new EntryMap();
    for (const [key, value] of entries) map.set(key, value);
    return map;
  }

  /** For those that make the map only. The key is a bool, an int, a uint or a string; of others false. */
  set(key: Value, value: Value): boolean {
    if (key instanceof CelUint) (this.#uints ??= new Map()).set(key.value, [key, value]);
    else if (typeof key === 'string' || typeof key === 'number' || typeof key === 'bigint' || typeof key === 'boolean') this.#entries.set(key, [key, value]);
    else return false;
    return true;
  }

  /** For those that make the map only. */
  remove(key: Value): void {
    if (key instanceof CelUint) this.#uints?.delete(key.value);
    else this.#entries.delete(key as string | number | bigint | boolean);
  }

  get size(): number {
    return this.#entries.size + (this.#uints?.size ?? 0);
  }

  find(key: Value): Value | undefined {
    if (typeof key === 'string' || typeof key === 'boolean') return this.#entries.get(key)?.[1];
    if (typeof key === 'number' || typeof key === 'bigint') return (this.#entries.get(key) ?? this.#uints?.get(key))?.[1];
    if (key instanceof CelUint) return (this.#uints?.get(key.value) ?? this.#entries.get(key.value))?.[1];
    if (!(key instanceof CelDouble) || !Number.isInteger(key.value)) return undefined;
    const whole = Number.isSafeInteger(key.value) ? key.value + 0 : BigInt(key.value);
    return (this.#entries.get(whole) ?? this.#uints?.get(whole))?.[1];
  }

  /** Whether an entry with this very key, of this very type, is there. */
  hasExactly(key: Value): boolean {
    if (key instanceof CelUint) return this.#uints?.has(key.value) ?? false;
    return this.#entries.has(key as string | number | bigint | boolean);
  }

  *keys(): Iterable<Value> {
    for (const [key] of this.#entries.values()) yield key;
    if (this.#uints !== undefined) for (const [key] of this.#uints.values()) yield key;
  }
}
