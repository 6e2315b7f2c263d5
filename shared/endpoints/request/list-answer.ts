import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';

/** The result of a list. */
export interface ListAnswer {
  readonly entries: readonly CacheEntry[];
  readonly revision: number;
  readonly continue: string;
  readonly remainingItemCount: number | undefined;
  /** The shard selector of the list, or empty. */
  readonly shard: string;
}
