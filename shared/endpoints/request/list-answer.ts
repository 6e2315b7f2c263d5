import type { CacheEntry } from '../../watchcache/watch-cache.ts';

/** What a list found. */
export interface ListAnswer {
  readonly entries: readonly CacheEntry[];
  readonly revision: number;
  readonly continue: string;
  readonly remainingItemCount: number | undefined;
  /** The part of the collection that this is, or empty. */
  readonly shard: string;
}
