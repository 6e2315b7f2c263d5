import { inSlices, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { CacheFollower } from '#shared/follow/cache-follower.ts';
import type { ResourceCaches } from '#shared/registry/resource-caches.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import type { RelationPart } from './node-uses.ts';

/**
 * Passes all objects of a resource, and then each change, to a part of the authorizer. After a lost watch the part
 * keeps its state until the new watch has passed on what was missed.
 */
export class ObjectFollower {
  readonly #caches: ResourceCaches;
  readonly #part: RelationPart;
  readonly #follower: CacheFollower;

  constructor(caches: ResourceCaches, group: string, resource: string, part: RelationPart) {
    this.#caches = caches;
    this.#part = part;
    this.#follower = new CacheFollower({
      cache: caches.cache(group, resource),
      onState: (snapshot) => inSlices(this.#applyAll(snapshot.entries(''))),
      onEvents: (events) => {
        for (const { type, entry } of events) {
          if (type === 'DELETED') this.#part.remove(entry.key);
          else this.#tell(entry);
        }
      },
    });
  }

  isReady(): boolean {
    return this.#follower.isReady();
  }

  /** Resolves when the part knows the present state. Begins at the first call. Rejects as `CacheFollower.ready` does. */
  ready(): Promise<void> {
    return this.#follower.ready();
  }

  /**
   * Resolves when the part knows all that was stored at the call. @throws StatusError 504 when storage does not answer
   */
  current(): Promise<void> {
    return this.#follower.current();
  }

  close(): void {
    this.#follower.close();
  }

  *#applyAll(entries: Iterable<CacheEntry>): Steps<void> {
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
