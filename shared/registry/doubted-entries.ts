import type { Storage } from '#shared/storage/storage.ts';
import type { CacheEntry, WatchCache } from '#shared/watchcache/watch-cache.ts';

/** After this time no write that began with the keys of before is on its way any more, in ms. */
const writesEndMs = 60_000;

/**
 * Entries of a cache that may not be readable in storage any more, since keys of encryption were taken away after they
 * were read. What has to be the newest state is read again; lists, watches and updates use what the cache has, as those
 * of the reference do. An entry that could be read again is not doubted until the next loss.
 */
export class DoubtedEntries {
  readonly #losses: (() => number) | undefined;
  readonly #cache: Pick<WatchCache, 'revision'>;
  #lossesSeen = 0;
  #sinceMs = 0;
  /** The newest revision of a doubted entry. */
  #lastRevision = Infinity;
  #trusted = new WeakSet<CacheEntry>();

  constructor(storage: Pick<Storage, 'countLosses'>, prefix: string, cache: Pick<WatchCache, 'revision'>) {
    this.#losses = storage.countLosses?.(prefix);
    this.#cache = cache;
  }

  has(entry: CacheEntry): boolean {
    if (this.#losses === undefined) return false;
    const losses = this.#losses();
    if (losses === 0) return false;
    if (losses !== this.#lossesSeen) {
      this.#lossesSeen = losses;
      this.#sinceMs = performance.now();
      this.#lastRevision = Infinity;
      this.#trusted = new WeakSet();
    } else if (this.#lastRevision === Infinity && performance.now() > this.#sinceMs + writesEndMs)
      this.#lastRevision = this.#cache.revision;
    return entry.revision <= this.#lastRevision && !this.#trusted.has(entry);
  }

  /** Storage has just been read, and had the entry's value. */
  trust(entry: CacheEntry): void {
    if (this.#lossesSeen > 0) this.#trusted.add(entry);
  }
}
