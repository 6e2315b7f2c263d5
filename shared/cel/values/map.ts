import { CelDouble, CelMap, CelUint, type Value } from './value.ts';

/** A map that an expression or a function builds from entries. A key that is set again keeps its position. */
export class EntryMap extends CelMap {
  readonly #entries = new Map<string | number | bigint | boolean, [Value, Value]>();
  /** The entries whose keys are no primitives, by `mapKey`. An int also finds the equal uint. */
  #others: Map<unknown, [Value, Value]> | undefined;

  static of(entries: Iterable<readonly [Value, Value]>): EntryMap {
    const map = new EntryMap();
    for (const [key, value] of entries) map.set(key, value);
    return map;
  }

  /** Adds an entry while the map is built. Returns false for a key of bytes, which Go's maps do not support. */
  set(key: Value, value: Value): boolean {
    if (typeof key === 'string' || typeof key === 'number' || typeof key === 'bigint' || typeof key === 'boolean')
      this.#entries.set(key, [key, value]);
    else if (key instanceof Uint8Array) return false;
    else (this.#others ??= new Map()).set(key?.mapKey, [key, value]);
    return true;
  }

  /** Removes an entry while the map is built. */
  remove(key: Value): void {
    if (typeof key === 'string' || typeof key === 'number' || typeof key === 'bigint' || typeof key === 'boolean')
      this.#entries.delete(key);
    else if (!(key instanceof Uint8Array)) this.#others?.delete(key?.mapKey);
  }

  get size(): number {
    return this.#entries.size + (this.#others?.size ?? 0);
  }

  find(key: Value): Value | undefined {
    if (typeof key === 'string' || typeof key === 'boolean') return this.#entries.get(key)?.[1];
    if (typeof key === 'number' || typeof key === 'bigint') return (this.#entries.get(key) ?? this.#uint(key))?.[1];
    if (key instanceof Uint8Array) return undefined;
    const found = this.#others?.get(key?.mapKey);
    if (found !== undefined) return found[1];
    if (key instanceof CelUint) return this.#entries.get(key.value)?.[1];
    if (!(key instanceof CelDouble) || !Number.isInteger(key.value)) return undefined;
    const whole = Number.isSafeInteger(key.value) ? key.value + 0 : BigInt(key.value);
    return (this.#entries.get(whole) ?? this.#uint(whole))?.[1];
  }

  #uint(value: number | bigint): [Value, Value] | undefined {
    return this.#others?.get(`uint ${value}`);
  }

  *keys(): Iterable<Value> {
    for (const [key] of this.#entries.values()) yield key;
    if (this.#others !== undefined) for (const [key] of this.#others.values()) yield key;
  }
}
