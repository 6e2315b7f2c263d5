interface Level<V> extends Map<string, Level<V> | V> {}

/**
 * A map whose keys are tuples of arbitrary texts. If clients choose the texts, joining them to one key can collide with
 * other tuples, whatever the separator is. Nested maps, one level for each text, cannot collide and need no joining.
 */
export class TupleMap<V> {
  readonly #arity: number;
  readonly #root: Level<V> = new Map();
  #size = 0;

  /** `arity`: how many texts make a key. */
  constructor(arity: number) {
    this.#arity = arity;
  }

  /** Number of entries, not of levels. */
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
