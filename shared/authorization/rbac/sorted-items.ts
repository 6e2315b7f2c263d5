/** Items in the order of their names. A change moves the items behind it; nothing is sorted. */
export class SortedItems<T> {
  readonly #names: string[] = [];
  readonly #items: T[] = [];

  get items(): readonly T[] {
    return this.#items;
  }

  get(name: string): T | undefined {
    const at = this.#placeOf(name);
    return this.#names[at] === name ? this.#items[at] : undefined;
  }

  /** Returns the item that it replaced. */
  put(name: string, item: T): T | undefined {
    const at = this.#placeOf(name);
    if (this.#names[at] === name) {
      const before = this.#items[at];
      this.#items[at] = item;
      return before;
    }
    this.#names.splice(at, 0, name);
    this.#items.splice(at, 0, item);
    return undefined;
  }

  /** Returns the item that it removed. */
  delete(name: string): T | undefined {
    const at = this.#placeOf(name);
    if (this.#names[at] !== name) return undefined;
    this.#names.splice(at, 1);
    return this.#items.splice(at, 1)[0];
  }

  /** The first place whose name is not before this one. */
  #placeOf(name: string): number {
    let low = 0;
    let high = this.#names.length;
    // Fast path for items that are added in order: they go to the end.
    if (high > 0 && (this.#names[high - 1] as string) < name) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#names[middle] as string) < name) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
