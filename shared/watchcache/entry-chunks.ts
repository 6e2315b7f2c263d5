import type { CacheEntry } from './watch-cache.ts';

/** A run of entries in key order. `epoch` tells the index whether it may change the run or must copy it. */
export interface Chunk {
  readonly epoch: number;
  readonly items: CacheEntry[];
}

/** The chunk that holds `key` or would hold it: the last one that does not begin after it; 0 if there is none. */
export function chunkOf(chunks: readonly Chunk[], key: string): number {
  let low = 0;
  let high = chunks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const first = chunks[middle]?.items[0];
    if (first !== undefined && first.key <= key) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? 0 : low - 1;
}

/** Position of the first item whose key is not below `key`. */
export function lowerBound(items: readonly CacheEntry[], key: string): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((items[middle] as CacheEntry).key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function findEntry(chunks: readonly Chunk[], key: string): CacheEntry | undefined {
  const items = chunks[chunkOf(chunks, key)]?.items;
  if (items === undefined) return undefined;
  const entry = items[lowerBound(items, key)];
  return entry?.key === key ? entry : undefined;
}

/** Entries that begin with `prefix`, in order, from `startKey` on. */
export function* entriesFrom(
  chunks: readonly Chunk[],
  prefix: string,
  startKey: string,
): Generator<CacheEntry, void, undefined> {
  const start = startKey > prefix ? startKey : prefix;
  const first = chunkOf(chunks, start);
  for (let at = first; at < chunks.length; at++) {
    const items = (chunks[at] as Chunk).items;
    for (let i = at === first ? lowerBound(items, start) : 0; i < items.length; i++) {
      const entry = items[i] as CacheEntry;
      if (!entry.key.startsWith(prefix)) return;
      yield entry;
    }
  }
}

/** The number of entries that {@link entriesFrom} yields, counted by whole chunks. */
export function countFrom(chunks: readonly Chunk[], prefix: string, startKey: string): number {
  const start = startKey > prefix ? startKey : prefix;
  const first = chunkOf(chunks, start);
  let count = 0;
  for (let at = first; at < chunks.length; at++) {
    const items = (chunks[at] as Chunk).items;
    const from = at === first ? lowerBound(items, start) : 0;
    if (items.at(-1)?.key.startsWith(prefix) === true) {
      count += items.length - from;
      continue;
    }
    for (let i = from; i < items.length; i++) {
      if (!(items[i] as CacheEntry).key.startsWith(prefix)) return count;
      count += 1;
    }
  }
  return count;
}
