import { forgetCache, showCache, type CachedResource } from './cache-metrics.ts';
import { ConsistencyCheck } from './consistency-check.ts';
import type { StorageWatchCacheOptions } from './storage-watch-cache-options.ts';
import { StorageWatchCache } from './storage-watch-cache.ts';

/** The cache of a resource, which metrics show until it is closed. */
export class MeasuredWatchCache extends StorageWatchCache {
  readonly #check: ConsistencyCheck | undefined;

  /** `isChecked`: it is compared with storage from time to time. */
  constructor(options: StorageWatchCacheOptions, measured: CachedResource, isChecked: boolean) {
    super(options);
    showCache(this, measured);
    const { storage, prefix, reportError } = options;
    this.#check = isChecked ? new ConsistencyCheck({ cache: this, storage, prefix, measured, reportError }) : undefined;
  }

  override close(): void {
    this.#check?.close();
    forgetCache(this);
    super.close();
  }
}
