import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import type { StorageEvent } from '#shared/storage/storage.ts';
import type { StoragePut } from './apply-events.ts';
import { decodeOrReport, readable } from './initial-list.ts';
import type { LocalWrites } from './local-writes.ts';
import type { StorageWatchCacheOptions } from './storage-watch-cache-options.ts';
import type { CacheEntry } from './watch-cache.ts';

/** Values of more bytes take longer than 10 ms to decode. */
const largeBytes = 64 * 1024;

/** Large values among the events of a cache, decoded in slices before the cache takes the events in. */
export class LargeValues {
  readonly #options: StorageWatchCacheOptions;
  readonly #ownWrites: LocalWrites;
  #waiting: StoragePut[] = [];
  /** Undefined for a value that cannot be decoded. */
  readonly #decoded = new WeakMap<StoragePut, { readonly entry: CacheEntry | undefined }>();

  constructor(options: StorageWatchCacheOptions, ownWrites: LocalWrites) {
    this.#options = options;
    this.#ownWrites = ownWrites;
  }

  add(event: StorageEvent): void {
    if (event.type === 'put' && event.kv.value.length >= largeBytes) this.#waiting.push(event);
  }

  clear(): void {
    this.#waiting = [];
  }

  /** Decodes the next value that nobody offered; undefined if there is none. */
  decodeNext(): Promise<void> | undefined {
    for (;;) {
      const event = this.#waiting.shift();
      if (event === undefined) return undefined;
      if (!this.#ownWrites.has(event.kv.key, event.kv.modRevision)) return this.#decode(event);
    }
  }

  /** The entry of an event, decoded now if it was not before; undefined if it cannot be. */
  entryOf(event: StoragePut): CacheEntry | undefined {
    const decoded = this.#decoded.get(event);
    if (decoded !== undefined) return decoded.entry;
    return decodeOrReport(() => this.#options.decode(readable(event.kv)), event.kv.key, this.#options.onUndecodable);
  }

  async #decode(event: StoragePut): Promise<void> {
    const { kv } = event;
    try {
      this.#decoded.set(event, { entry: await inSlices(this.#options.decodeInSteps(readable(kv))) });
    } catch (error) {
      this.#options.onUndecodable(kv.key, error);
      this.#decoded.set(event, { entry: undefined });
    }
  }
}
