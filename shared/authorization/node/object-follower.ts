import { inSlices, type Steps } from '../../apimachinery/slices.ts';
import type { ResourceCaches } from '../../registry/resource-caches.ts';
import type { CacheEntry, CacheWatch, WatchCache } from '../../watchcache/watch-cache.ts';
import type { RelationPart } from './node-uses.ts';

const retryMs = 100;

/**
 * Tells a part of all objects of a resource, and of each change. What was told before stands while a lost watch is made
 * anew; then the part hears what it missed.
 */
export class ObjectFollower {
  readonly #cache: WatchCache;
  readonly #caches: ResourceCaches;
  readonly #part: RelationPart;
  #watch: CacheWatch | undefined;
  #starting: Promise<void> | undefined;
  #closed = false;

  constructor(caches: ResourceCaches, group: string, resource: string, part: RelationPart) {
    this.#caches = caches;
    this.#cache = caches.cache(group, resource);
    this.#part = part;
  }

  isReady(): boolean {
    return this.#watch !== undefined;
  }

  /** Resolves when the part knows the present state. Begins at the first call. */
  ready(): Promise<void> {
    return (this.#starting ??= this.#start());
  }

  /**
   * Resolves when the part knows all that was stored at the call. @throws StatusError 504 when storage does not answer
   */
  async current(): Promise<void> {
    await this.#cache.waitForCurrent();
    // Events are handed out in the turn after the cache took them.
    await new Promise((resolve) => setImmediate(resolve));
  }

  close(): void {
    this.#closed = true;
    this.#watch?.stop();
  }

  async #start(): Promise<void> {
    while (!this.#closed) {
      try {
        await this.#cache.ready();
        await this.#follow();
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, retryMs).unref());
      }
    }
  }

  async #follow(): Promise<void> {
    const snapshot = this.#cache.snapshot();
    await inSlices(this.#tellAll(snapshot.entries('')));
    if (this.#closed) return;
    this.#watch = this.#cache.watch({
      prefix: '',
      afterRevision: snapshot.revision,
      initialEvents: false,
      onEvents: (events) => {
        for (const { type, entry } of events) {
          if (type === 'DELETED') this.#part.remove(entry.key);
          else this.#tell(entry);
        }
      },
      onProgress: () => undefined,
      onClose: (reason) => {
        if (reason !== 'Stopped') setTimeout(() => void this.#start(), retryMs).unref();
      },
    });
  }

  *#tellAll(entries: Iterable<CacheEntry>): Steps<void> {
    const gone = new Set(this.#part.keys());
    for (const entry of entries) {
      gone.delete(entry.key);
      this.#tell(entry);
      yield;
    }
    for (const key of gone) this.#part.remove(key);
  }

  #tell(entry: CacheEntry): void {
    this.#part.put(entry.key, this.#caches.parse(entry));
  }
}
