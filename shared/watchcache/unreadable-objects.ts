import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import type { StorageEvent } from '#shared/storage/storage.ts';
import type { StorageWatchCacheOptions } from './storage-watch-cache-options.ts';

const checkEveryMs = 10_000;
/** So many are looked at in one check, the others in the next: one that can be read again is enough for a reload. */
const mostChecked = 100;

/**
 * Keys of objects that are in storage and cannot be decrypted or decoded, so that a cache lacks them. They may become
 * readable without a change in storage: a KMS plugin comes back, or a configuration gets the missing key.
 */
export class UnreadableObjects {
  readonly #options: Pick<StorageWatchCacheOptions, 'storage' | 'decodeInSteps'>;
  readonly #onReadable: () => void;
  #keys = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** `onReadable` is called when a key turns out to be readable now. */
  constructor(options: Pick<StorageWatchCacheOptions, 'storage' | 'decodeInSteps'>, onReadable: () => void) {
    this.#options = options;
    this.#onReadable = onReadable;
  }

  get keys(): ReadonlySet<string> {
    return this.#keys;
  }

  replace(keys: Set<string>): void {
    this.#keys = keys;
    this.#checkLater();
  }

  /** An object was written: so that it can be read, or not. */
  written(key: string, isReadable: boolean): void {
    if (!isReadable) {
      this.#keys.add(key);
      this.#checkLater();
    } else if (this.#keys.size > 0) this.#keys.delete(key);
  }

  /** Forgets what was deleted. */
  applied(events: readonly StorageEvent[], count: number): void {
    if (this.#keys.size === 0) return;
    for (let at = 0; at < count; at++) {
      const event = events[at];
      if (event?.type === 'delete') this.#keys.delete(event.key);
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #checkLater(): void {
    if (this.#isClosed || this.#timer !== undefined || this.#keys.size === 0) return;
    this.#timer = setTimeout(() => {
      void this.#check().then((isReadable) => {
        this.#timer = undefined;
        if (isReadable && !this.#isClosed) this.#onReadable();
        else this.#checkLater();
      });
    }, checkEveryMs).unref();
  }

  async #check(): Promise<boolean> {
    for (const key of [...this.#keys].slice(0, mostChecked)) {
      if (this.#isClosed) return false;
      try {
        const { kv } = await this.#options.storage.get(key);
        if (kv === undefined) continue;
        await inSlices(this.#options.decodeInSteps(kv));
        return true;
      } catch {
        // It is as before; the check that follows begins with others.
        if (this.#keys.delete(key)) this.#keys.add(key);
      }
    }
    return false;
  }
}
