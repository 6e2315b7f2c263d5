import {
  StorageError,
  type StoredKeyValue,
  type StorageListOptions,
  type ListResult,
  type Storage,
} from '../storage/storage.ts';
import { EntryIndex } from './entry-index.ts';
import type { CacheEntry, EntryDecoder } from './watch-cache.ts';
import { withExactBytes } from './exact-bytes.ts';

/** The most keys of one page, whose raw values are in memory together. */
const mostKeys = 1_000;
/** Keys of the first page, when nothing is known yet about their size. */
const firstKeys = 100;
/** Bytes that a page aims at: few enough to be read within the deadline of a call, even on a busy machine. */
const pageBytes = 8 * 1024 * 1024;
/** Decoding pauses for other work after this time. */
const sliceMs = 5;

interface InitialState {
  readonly index: EntryIndex;
  readonly revision: number;
}

/**
 * Reads all objects below a prefix at one revision; 0 means the newest. Objects that cannot be decoded are reported and
 * left out. `nextTurn` lets other work run.
 */
export async function loadInitialState(
  storage: Storage,
  prefix: string,
  at: number,
  decode: EntryDecoder,
  onUndecodable: (key: string, error: unknown) => void,
  nextTurn: () => Promise<void>,
): Promise<InitialState> {
  const index = new EntryIndex();
  let revision = at;
  let startKey = prefix;
  for (let keys = firstKeys; ;) {
    const page = await readPage(storage, prefix, { limit: keys, startKey, revision });
    if (page === undefined) {
      keys = Math.ceil(keys / 4);
      continue;
    }
    revision = page.revision;
    let sliceEnd = performance.now() + sliceMs;
    for (const kv of page.items) {
      const entry = decodeOrReport(() => decode(kv), kv.key, onUndecodable);
      if (entry !== undefined) index.put(withExactBytes(entry));
      if (performance.now() < sliceEnd) continue;
      await nextTurn();
      sliceEnd = performance.now() + sliceMs;
    }
    const last = page.items.at(-1);
    if (!page.more || last === undefined) return { index, revision };
    startKey = `${last.key}\0`;
    keys = keysOfNextPage(page.items);
  }
}

/** Reads one page; undefined if it is too large to be read within the deadline of a call. */
async function readPage(
  storage: Storage,
  prefix: string,
  options: StorageListOptions & { readonly limit: number },
): Promise<ListResult | undefined> {
  try {
    return await storage.list(prefix, options);
  } catch (error) {
    if (error instanceof StorageError && error.code === 'DeadlineExceeded' && options.limit > 1) return undefined;
    throw error;
  }
}

/**
 * Chooses the size of the next page by the size of the objects. Larger objects may follow, so it has at most four times
 * as many keys as the page before.
 */
function keysOfNextPage(items: readonly StoredKeyValue[]): number {
  let bytes = 0;
  for (const { value } of items) bytes += value.length;
  return Math.max(1, Math.min(mostKeys, items.length * 4, Math.floor((pageBytes * items.length) / Math.max(bytes, 1))));
}

export function decodeOrReport(
  decode: () => CacheEntry,
  key: string,
  report: (key: string, error: unknown) => void,
): CacheEntry | undefined {
  try {
    return decode();
  } catch (error) {
    report(key, error);
    return undefined;
  }
}
