/** 707 items with each other: more take long, and their warnings would not fit into the headers of an answer. */
const maxPairs = 250_000;
/** Headers hold 4096 characters of warnings, and these have more than 32. */
const maxWarnings = 128;

/** Items of which each is compared with those before it. */
export class EarlierItems<T> {
  readonly #items: T[] = [];
  readonly #texts = new Set<string>();
  readonly #warning: (item: T, earlier: T) => string | undefined;
  #left = maxPairs;

  constructor(warning: (item: T, earlier: T) => string | undefined) {
    this.#warning = warning;
  }

  /** What is to be said of an item beside those before it, and has not been said yet. */
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
