import { StorageError } from '../storage/storage.ts';
import type { CacheEntry } from '../watchcache/watch-cache.ts';
import type { StoreParts } from './store-parts.ts';

/** A state to start from; one from the cache may be behind, so that an error on it is checked against storage. */
export interface Origin {
  readonly entry: CacheEntry | undefined;
  readonly current: boolean;
}

/** What one try led to: done, or somebody else was faster and the try starts again from what they wrote. */
export type Attempt<T> = { readonly done: T } | { readonly retry: CacheEntry | undefined };

/**
 * Changes an object by compare-and-set: from the cached state first, again from the newest when storage has moved on
 * (apiserver storage GuaranteedUpdate). An error on a state that turns out to be old is not the answer.
 */
export async function guaranteedUpdate<T>(
  parts: StoreParts,
  key: string,
  attempt: (origin: Origin) => Promise<Attempt<T>>,
): Promise<T> {
  const cached = parts.cache.isReady() ? parts.cache.get(key) : undefined;
  let origin: Origin =
    cached === undefined ? { entry: await parts.readCurrent(key), current: true } : { entry: cached, current: false };
  for (;;) {
    try {
      const outcome = await attempt(origin);
      if ('done' in outcome) return outcome.done;
      origin = { entry: outcome.retry, current: true };
    } catch (error) {
      // An error on an old state is no answer; one of storage is, and after it nothing may be written again.
      if (origin.current || error instanceof StorageError) throw error;
      const newest = await parts.readCurrent(key);
      if (newest?.revision === origin.entry?.revision) throw error;
      origin = { entry: newest, current: true };
    }
  }
}
