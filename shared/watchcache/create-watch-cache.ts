import type { Storage } from '../storage/storage.ts';
import type { ChangeRingLimits } from './change-ring.ts';
import { defaultRingLimits } from './change-ring.ts';
import { StorageWatchCache } from './storage-watch-cache.ts';
import type { EntryDecoder, WatchCache } from './watch-cache.ts';

export interface WatchCacheOptions {
  readonly storage: Storage;
  /** Prefix of the resource's keys, without that of the cluster; a `/` is added at the end: `/configmaps/`. */
  readonly prefix: string;
  readonly decode: EntryDecoder;
  /** An object in storage that `decode` refuses. It is left out of the cache. Default: nothing is said. */
  readonly onUndecodable?: (key: string, error: unknown) => void;
  /** The cache lost its watch or could not list; it goes on trying by itself. */
  readonly reportError?: (error: unknown) => void;
  /**
   * The revision that the first list is of, so that watches may begin there however late the cache fills. Asked when it
   * begins to; 0 for the newest, which is also taken where that revision is gone. Default: 0.
   */
  readonly firstRevision?: () => number;
  /**
   * Whether a read at a revision that storage has not reached is refused at once, instead of waiting for it. Default:
   * false.
   */
  readonly refusesFuture?: boolean;
  /** How much of the past is held. Default: {@link defaultRingLimits}. */
  readonly history?: Partial<ChangeRingLimits>;
}

/** The cache of one resource. It lists and watches from the first `ready`, `waitForRevision` or `waitForCurrent` on. */
export function createWatchCache(options: WatchCacheOptions): WatchCache {
  return new StorageWatchCache({
    storage: options.storage,
    prefix: options.prefix.endsWith('/') ? options.prefix : `${options.prefix}/`,
    decode: options.decode,
    onUndecodable: options.onUndecodable ?? (() => {}),
    reportError: options.reportError ?? (() => {}),
    firstRevision: options.firstRevision ?? (() => 0),
    refusesFuture: options.refusesFuture ?? false,
    history: { ...defaultRingLimits, ...options.history },
  });
}
