interface Level<V> extends Map<string, Level<V> | V> {}

/**
 * A map by several texts of which each may be anything. Texts that are joined to one key meet other texts whatever the
 * separator is, where a client chooses them; a level for each text cannot, and joins nothing on the way.
 */
export class TupleMap<V> {
  readonly #arity: number;
  readonly #root: Level<V> = new Map();
  #size = 0;

  /** `arity`: how many texts make a key. */
  constructor(arity: number) {
    this.#arity = arity;
  }

  /** Entries, not levels. */
  get size(): number {
    return this.#size;
  }

  get(key: readonly string[]): V | undefined {
    let level: Level<V> | undefined = this.#root;
    const last = this.#arity - 1;
    for (let at = 0; at < last && level !== undefined; at++) level = level.get(key[at] ?? '') as Level<V> | undefined;
    return level?.get(key[last] ?? '') as V | undefined;
  }

  set(key: readonly string[], value: V): void {
    if (key.length !== this.#arity)
      throw new RangeError(`a key of ${this.#arity} texts is wanted, not of ${key.length}`);
    let level = this.#root;
    const last = this.#arity - 1;
    for (let at = 0; at < last; at++) {
      const part = key[at] ?? '';
      let next = level.get(part) as Level<V> | undefined;
      if (next === undefined) level.set(part, (next = new Map()));
      level = next;
    }
    const part = key[last] ?? '';
    if (!level.has(part)) this.#size++;
    level.set(part, value);
  }

  clear(): void {
    this.#root.clear();
    this.#size = 0;
  }
}

/** One string for a list of strings, unambiguous since each is preceded by its length. */
export function joinedKey(parts: readonly string[]): string {
  let key = '';
  for (const part of parts) key += `${part.length}:${part}`;
  return key;
}
