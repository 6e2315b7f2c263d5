import type { KeyRange } from '#servers/store/mvcc/key-range.ts';
import type { Watcher } from './watcher.ts';

interface Group {
  readonly range: KeyRange;
  readonly watchers: Set<Watcher>;
}

/** Finds the watchers of a key. Watchers of single keys are in a map; ranges are sorted by their starts. */
export class RangeGroups {
  readonly #single = new Map<string, Set<Watcher>>();
  #ranges: Group[] = [];

  add(watcher: Watcher): void {
    const { range } = watcher;
    if (isSingle(range)) {
      const watchers = this.#single.get(range.start) ?? new Set();
      watchers.add(watcher);
      this.#single.set(range.start, watchers);
      return;
    }
    const at = this.#position(range.start);
    for (let i = at; this.#ranges[i]?.range.start === range.start; i++) {
      const group = this.#ranges[i] as Group;
      if (group.range.end === range.end) return void group.watchers.add(watcher);
    }
    this.#ranges.splice(at, 0, { range, watchers: new Set([watcher]) });
  }

  remove(watcher: Watcher): void {
    const { range } = watcher;
    if (isSingle(range)) {
      const watchers = this.#single.get(range.start);
      if (watchers?.delete(watcher) === true && watchers.size === 0) this.#single.delete(range.start);
      return;
    }
    for (let i = this.#position(range.start); this.#ranges[i]?.range.start === range.start; i++) {
      const group = this.#ranges[i] as Group;
      if (group.range.end !== range.end) continue;
      if (group.watchers.delete(watcher) && group.watchers.size === 0) this.#ranges.splice(i, 1);
      return;
    }
  }

  forEach(key: string, visit: (watcher: Watcher) => void): void {
    this.#single.get(key)?.forEach(visit);
    for (const group of this.#ranges) {
      if (group.range.start > key) return;
      if (group.range.end === null || key < group.range.end) group.watchers.forEach(visit);
    }
  }

  *all(): Iterable<Watcher> {
    for (const watchers of this.#single.values()) yield* watchers;
    for (const group of this.#ranges) yield* group.watchers;
  }

  /** Index of the first range that starts at or after the key. */
  #position(start: string): number {
    let low = 0;
    let high = this.#ranges.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ranges[middle] as Group).range.start < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function isSingle(range: KeyRange): boolean {
  return (
    range.end !== null &&
    range.end.length === range.start.length + 1 &&
    range.end.endsWith('\0') &&
    range.end.startsWith(range.start)
  );
}
