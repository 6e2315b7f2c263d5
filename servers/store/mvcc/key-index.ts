import { KeyEntry } from './key-entry.ts';
import type { KeyRange } from './key-range.ts';

const maxLeaf = 512;

/**
 * The keys in order, in a sorted list of sorted leaves of bounded size. An insertion moves the entries of at most one
 * leaf; a scan iterates over arrays.
 */
export class KeyIndex {
  #leaves: KeyEntry[][] = [];
  #size = 0;

  /** Number of keys, including deleted ones that are not compacted yet. */
  get size(): number {
    return this.#size;
  }

  get(key: string): KeyEntry | undefined {
    const leaf = this.#leaves[this.#leafOf(key)];
    if (leaf === undefined) return undefined;
    const entry = leaf[lowerBound(leaf, key)];
    return entry?.key === key ? entry : undefined;
  }

  /** The entry of a key, which is created if missing. */
  obtain(key: string): KeyEntry {
    const at = this.#leafOf(key);
    const leaf = this.#leaves[at];
    if (leaf === undefined) {
      const entry = new KeyEntry(key);
      this.#leaves.push([entry]);
      this.#size++;
      return entry;
    }
    const position = lowerBound(leaf, key);
    const found = leaf[position];
    if (found?.key === key) return found;
    const entry = new KeyEntry(key);
    leaf.splice(position, 0, entry);
    this.#size++;
    if (leaf.length > maxLeaf) {
      // If keys are added in ascending order, leaves are filled completely instead of being split in half.
      const cut = position === leaf.length - 1 && at === this.#leaves.length - 1 ? maxLeaf : maxLeaf >> 1;
      this.#leaves.splice(at + 1, 0, leaf.splice(cut));
    }
    return entry;
  }

  remove(key: string): void {
    const at = this.#leafOf(key);
    const leaf = this.#leaves[at];
    if (leaf === undefined) return;
    const position = lowerBound(leaf, key);
    if (leaf[position]?.key !== key) return;
    leaf.splice(position, 1);
    this.#size--;
    if (leaf.length === 0) this.#leaves.splice(at, 1);
  }

  /** Entries of a range in order. The index must not change while it runs. */
  forEach(range: KeyRange, visit: (entry: KeyEntry) => void): void {
    const end = range.end;
    let leafAt = this.#leafOf(range.start);
    let leaf = this.#leaves[leafAt];
    if (leaf === undefined) return;
    let position = lowerBound(leaf, range.start);
    while (leaf !== undefined) {
      for (; position < leaf.length; position++) {
        const entry = leaf[position] as KeyEntry;
        if (end !== null && entry.key >= end) return;
        visit(entry);
      }
      position = 0;
      leaf = this.#leaves[++leafAt];
    }
  }

  /** The entries of one leaf from a key on, for an iteration with pauses; empty at the end. */
  slice(from: string): readonly KeyEntry[] {
    for (let at = this.#leafOf(from); at < this.#leaves.length; at++) {
      const leaf = this.#leaves[at] as KeyEntry[];
      const position = lowerBound(leaf, from);
      if (position < leaf.length) return leaf.slice(position);
    }
    return [];
  }

  /** The last leaf that starts at or before the key; the first one when none does. */
  #leafOf(key: string): number {
    const leaves = this.#leaves;
    let low = 0;
    let high = leaves.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (((leaves[middle] as KeyEntry[])[0] as KeyEntry).key <= key) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? 0 : low - 1;
  }
}

function lowerBound(leaf: readonly KeyEntry[], key: string): number {
  let low = 0;
  let high = leaf.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((leaf[middle] as KeyEntry).key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
