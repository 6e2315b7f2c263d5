import {
  StorageError,
  type StoredKeyValue,
  type StorageListOptions,
  type ListResult,
  type Storage,
} from '#shared/storage/storage.ts';
import { EntryIndex } from './entry-index.ts';
import { withExactBytes } from './exact-bytes.ts';
import type { CacheEntry, EntryDecoder } from './watch-cache.ts';

/** The most keys of one page, of which two are in memory together. */
const maxKeys = 1_000;
/** Keys of the first page, when nothing is known yet about their size. */
const firstKeys = 100;
/** Bytes that a page aims at: few enough to be read within the deadline of a call, even on a busy machine. */
const pageBytes = 8 * 1024 * 1024;
/** Decoding pauses for other work after this time. */
const sliceMs = 5;

/** What is done with the objects, and between them. */
export interface InitialListOptions {
  readonly decode: EntryDecoder;
  /** Called for an object that cannot be decoded, which is left out. */
  readonly onUndecodable: (key: string, error: unknown) => void;
  /** Lets other work run. */
  readonly nextTurn: () => Promise<void>;
}

interface InitialState {
  readonly index: EntryIndex;
  readonly revision: number;
}

/**
 * Reads all objects below a prefix at one revision; 0 means the newest, in which those that cannot be read are left
 * out.
 * @throws UnreadableError for a value of the past that cannot be decrypted
 */
export async function loadInitialState(
  storage: Storage,
  prefix: string,
  at: number,
  { decode, onUndecodable, nextTurn }: InitialListOptions,
): Promise<InitialState> {
  const index = new EntryIndex();
  const pages = new Pages(storage, prefix, at);
  for (let page = await pages.next(); ; page = await pages.next()) {
    let sliceEnd = performance.now() + sliceMs;
    for (const kv of page.items) {
      if (at > 0) readable(kv);
      const entry = decodeOrReport(() => decode(readable(kv)), kv.key, onUndecodable);
      if (entry !== undefined) index.put(withExactBytes(entry));
      if (performance.now() < sliceEnd) continue;
      await nextTurn();
      sliceEnd = performance.now() + sliceMs;
    }
    if (pages.isLast) return { index, revision: page.revision };
  }
}

/** Reads page by page; the next page is read while the caller works on the last one. */
class Pages {
  readonly #storage: Storage;
  readonly #prefix: string;
  readonly #at: number;
  #ahead: Promise<ListResult> | undefined;
  isLast = false;

  constructor(storage: Storage, prefix: string, at: number) {
    this.#storage = storage;
    this.#prefix = prefix;
    this.#at = at;
  }

  async next(): Promise<ListResult> {
    const page = await (this.#ahead ?? this.#read(firstKeys, this.#prefix, this.#at));
    const last = page.items.at(-1);
    this.isLast = !page.more || last === undefined;
    if (!this.isLast && last !== undefined) {
      this.#ahead = this.#read(keysOfNextPage(page.items), `${last.key}\0`, page.revision);
      // A failure is thrown by the next call; it may come before that.
      this.#ahead.catch(() => undefined);
    }
    return page;
  }

  /** Reads with fewer keys until the page is small enough to be read within the deadline of a call. */
  async #read(mostKeysOfPage: number, startKey: string, revision: number): Promise<ListResult> {
    for (let keys = mostKeysOfPage; ; keys = Math.ceil(keys / 4)) {
      const page = await readPage(this.#storage, this.#prefix, { limit: keys, startKey, revision });
      if (page !== undefined) return page;
    }
  }
}

/** Reads one page; undefined if it is too large to be read within the deadline of a call. */
async function readPage(
  storage: Storage,
  prefix: string,
  options: StorageListOptions & { readonly limit: number },
): Promise<ListResult | undefined> {
  try {
    return await storage.list(prefix, { ...options, keepsUnreadable: true });
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
  return Math.max(1, Math.min(maxKeys, items.length * 4, Math.floor((pageBytes * items.length) / Math.max(bytes, 1))));
}

/** @throws UnreadableError for a value that could not be decrypted */
export function readable(kv: StoredKeyValue): StoredKeyValue {
  if (kv.failure !== undefined) throw kv.failure;
  return kv;
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
