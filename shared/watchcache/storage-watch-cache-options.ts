import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { Storage, StoredKeyValue } from '#shared/storage/storage.ts';
import type { CachedResource } from './cache-metrics.ts';
import type { ChangeRingLimits } from './change-ring.ts';
import type { CacheReads } from './read-metrics.ts';
import type { CacheEntry, EntryDecoder } from './watch-cache.ts';

export interface StorageWatchCacheOptions {
  readonly storage: Storage;
  /** Ends with `/`. */
  readonly prefix: string;
  readonly decode: EntryDecoder;
  readonly decodeInSteps: (kv: StoredKeyValue) => Steps<CacheEntry>;
  readonly onUndecodable: (key: string, error: unknown) => void;
  readonly reportError: (error: unknown) => void;
  readonly firstRevision: () => Promise<number>;
  readonly refusesFuture: boolean;
  readonly history: ChangeRingLimits;
  readonly forget: (entry: CacheEntry) => void;
  /** Whose metrics its counts are; absent for none. */
  readonly measured?: CachedResource | undefined;
  /** Counts what is read from it; absent with `measured`. */
  readonly reads?: CacheReads | undefined;
}
