import { chunkOf, countFrom, entriesFrom, findEntry, lowerBound } from './entry-chunks.ts';
import type { Chunk } from './entry-chunks.ts';
import type { CacheEntry, CacheSnapshot, HeldObjects } from './watch-cache.ts';

const maxChunkItems = 128;
const smallChunkItems = 24;

/** Counted over all indexes, so that no index treats a chunk of another as its own. */
let lastEpoch = 0;

/**
 * Entries in key order, as a list of sorted chunks. A snapshot takes the list as it is; afterwards the index copies a
 * chunk (and the list) before the first change. Example: with 50,000 entries a change after a snapshot copies one chunk
 * of about 90 entries and a list of about 550 chunks; until the next snapshot, changes of the same chunk copy nothing.
 */
export class EntryIndex {
  #chunks: Chunk[] = [];
  /** Chunks of this epoch belong to the index alone. */
  #epoch = ++lastEpoch;
  #listShared = false;
  #size = 0;
  #storedBytes = 0;

  get size(): number {
    return this.#size;
  }

  /** What storage has, with so many objects that are not in the index. */
  held(others: number): HeldObjects {
    return { count: this.#size + others, storedBytes: this.#storedBytes };
  }

  get(key: string): CacheEntry | undefined {
    return findEntry(this.#chunks, key);
  }

  /** Returns the replaced entry, if any. */
  put(entry: CacheEntry): CacheEntry | undefined {
    const at = chunkOf(this.#chunks, entry.key);
    const items = this.#writable(at).items;
    const position = lowerBound(items, entry.key);
    const present = items[position];
    this.#storedBytes += entry.storedBytes ?? 0;
    if (present?.key === entry.key) {
      items[position] = entry;
      this.#storedBytes -= present.storedBytes ?? 0;
      return present;
    }
    if (position === items.length) items.push(entry);
    else items.splice(position, 0, entry);
    this.#size += 1;
    if (items.length > maxChunkItems) this.#split(at, position === items.length - 1);
    return undefined;
  }

  /** Returns the removed entry, if any. */
  delete(key: string): CacheEntry | undefined {
    if (this.get(key) === undefined) return undefined;
    const at = chunkOf(this.#chunks, key);
    const items = this.#writable(at).items;
    const [removed] = items.splice(lowerBound(items, key), 1);
    this.#size -= 1;
    this.#storedBytes -= removed?.storedBytes ?? 0;
    if (items.length < smallChunkItems) this.#mergeWithNext(at);
    return removed;
  }

  snapshot(revision: number): IndexSnapshot {
    this.#epoch = ++lastEpoch;
    this.#listShared = true;
    return new IndexSnapshot(this.#chunks, this.#size, revision);
  }

  /** A new index that begins with the state of a snapshot; it does not count stored bytes. */
  static from(snapshot: IndexSnapshot): EntryIndex {
    const index = new EntryIndex();
    index.#chunks = snapshot.chunks;
    index.#size = snapshot.size;
    index.#listShared = true;
    return index;
  }

  #ownList(): void {
    if (!this.#listShared) return;
    this.#chunks = this.#chunks.slice();
    this.#listShared = false;
  }

  #writable(at: number): Chunk {
    const chunk = this.#chunks[at];
    if (chunk?.epoch === this.#epoch) return chunk;
    this.#ownList();
    const own: Chunk = { epoch: this.#epoch, items: chunk === undefined ? [] : chunk.items.slice() };
    this.#chunks[at] = own;
    return own;
  }

  /**
   * Splits a chunk in halves; after an append only the last item moves, so that keys added in order leave full chunks
   * behind.
   */
  #split(at: number, appended: boolean): void {
    this.#ownList();
    const items = (this.#chunks[at] as Chunk).items;
    const cut = appended ? items.length - 1 : items.length >>> 1;
    const tail = { epoch: this.#epoch, items: items.slice(cut) };
    // A slice takes only the memory that it needs; a shortened array would keep all of its memory.
    this.#chunks.splice(at, 1, { epoch: this.#epoch, items: items.slice(0, cut) }, tail);
  }

  #mergeWithNext(at: number): void {
    this.#ownList();
    const items = (this.#chunks[at] as Chunk).items;
    const next = this.#chunks[at + 1];
    if (items.length === 0) this.#chunks.splice(at, 1);
    else if (next !== undefined && items.length + next.items.length <= maxChunkItems) {
      this.#chunks.splice(at, 2, { epoch: this.#epoch, items: items.concat(next.items) });
    }
  }
}

export class IndexSnapshot implements CacheSnapshot {
  /** Shared with the index; never changed. */
  readonly chunks: Chunk[];
  readonly size: number;
  readonly revision: number;

  constructor(chunks: Chunk[], size: number, revision: number) {
    this.chunks = chunks;
    this.size = size;
    this.revision = revision;
  }

  get(key: string): CacheEntry | undefined {
    return findEntry(this.chunks, key);
  }

  entries(prefix: string, startKey = ''): Iterable<CacheEntry> {
    return entriesFrom(this.chunks, prefix, startKey);
  }

  count(prefix: string, startKey = ''): number {
    return countFrom(this.chunks, prefix, startKey);
  }
}
