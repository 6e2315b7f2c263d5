/** The pairs of 707 items: more take long, and their warnings would not fit into the headers of a response. */
const maxPairs = 250_000;
/** A response has at most 4096 characters of warnings, and each of these warnings is longer than 32. */
const maxWarnings = 128;

/** Compares each item with those added before it. */
export class EarlierItems<T> {
  readonly #items: T[] = [];
  readonly #texts = new Set<string>();
  readonly #warning: (item: T, earlier: T) => string | undefined;
  #left = maxPairs;

  constructor(warning: (item: T, earlier: T) => string | undefined) {
    this.#warning = warning;
  }

  /** Adds an item; returns the new warnings about it and the items before it. */
  add(item: T): string[] {
    this.#left -= this.#items.length;
    if (this.#left < 0 || this.#texts.size >= maxWarnings) return [];
    const before = this.#texts.size;
    for (const earlier of this.#items) {
      const text = this.#warning(item, earlier);
      if (text !== undefined) this.#texts.add(text);
    }
    this.#items.push(item);
    return this.#texts.size === before ? [] : [...this.#texts].slice(before);
  }
}
