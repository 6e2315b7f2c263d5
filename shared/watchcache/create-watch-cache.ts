import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { UnreadableError, type Storage, type StoredKeyValue } from '#shared/storage/storage.ts';
import type { CachedResource } from './cache-metrics.ts';
import type { ChangeRingLimits } from './change-ring.ts';
import { defaultRingLimits } from './change-ring.ts';
import { MeasuredWatchCache } from './measured-watch-cache.ts';
import { CacheReads } from './read-metrics.ts';
import { StorageWatchCache } from './storage-watch-cache.ts';
import type { CacheEntry, EntryDecoder, WatchCache } from './watch-cache.ts';

export interface WatchCacheOptions {
  readonly storage: Storage;
  /** Prefix of the resource's keys, without that of the cluster; a `/` is added at the end: `/configmaps/`. */
  readonly prefix: string;
  readonly decode: EntryDecoder;
  /** As `decode`, for large values. Default: they are decoded at once. */
  readonly decodeInSteps?: (kv: StoredKeyValue) => Steps<CacheEntry>;
  /** Called for an object in storage that `decode` refuses; it is left out of the cache. Default: not reported. */
  readonly onUndecodable?: (key: string, error: unknown) => void;
  /** Called when the cache lost its watch or could not list; it keeps trying on its own. */
  readonly reportError?: (error: unknown) => void;
  /**
   * The revision of the first list, so that watches can begin there even if the cache is filled later. Called when the
   * first list begins; 0 means the newest revision. A recent one is used if the given one is compacted. Default: 0.
   */
  readonly firstRevision?: () => Promise<number>;
  /**
   * Whether a read at a revision that storage has not reached is refused at once, instead of waiting for it. Default:
   * false.
   */
  readonly refusesFuture?: boolean;
  /** How much history is kept. Default: {@link defaultRingLimits}. */
  readonly history?: Partial<ChangeRingLimits>;
  /**
   * Called for an entry, soon after it was replaced or deleted: what its user has cached of it is no longer asked for,
   * but by watches that begin in the past. Default: nothing is cached.
   */
  readonly forget?: (entry: CacheEntry) => void;
  /** Its resource, in metrics. Default: it has none. */
  readonly measured?: CachedResource;
  /** Whether a cache that has a resource is compared with storage every few minutes. Default: false. */
  readonly isChecked?: boolean | undefined;
}

/** The cache of one resource. It lists and watches from the first `ready`, `waitForRevision` or `waitForCurrent` on. */
export function createWatchCache(options: WatchCacheOptions): WatchCache {
  const { measured, onUndecodable } = options;
  const reads = measured === undefined ? undefined : new CacheReads(measured);
  const all = {
    storage: options.storage,
    prefix: options.prefix.endsWith('/') ? options.prefix : `${options.prefix}/`,
    decode: options.decode,
    decodeInSteps: options.decodeInSteps ?? atOnceBy(options.decode),
    onUndecodable(key: string, error: unknown) {
      // As in the reference, what cannot be decrypted is not counted.
      if (!(error instanceof UnreadableError)) reads?.undecodable();
      onUndecodable?.(key, error);
    },
    reportError: options.reportError ?? (() => {}),
    firstRevision: options.firstRevision ?? newest,
    refusesFuture: options.refusesFuture ?? false,
    history: { ...defaultRingLimits, ...options.history },
    forget: options.forget ?? (() => {}),
    measured,
    reads,
  };
  if (measured === undefined) return new StorageWatchCache(all);
  return new MeasuredWatchCache(all, measured, options.isChecked ?? false);
}

async function newest(): Promise<number> {
  return 0;
}

function atOnceBy(decode: EntryDecoder): (kv: StoredKeyValue) => Steps<CacheEntry> {
  // oxlint-disable-next-line require-yield -- it is one step
  return function* (kv) {
    return decode(kv);
  };
}
