import { processRegistry } from '#shared/observability/metrics/process-registry.ts';
import { outsideRequests } from '#shared/observability/request-scope.ts';
import { outsideSpans } from '#shared/spans/active-span.ts';
import type { Storage } from '#shared/storage/storage.ts';
import type { CachedResource } from './cache-metrics.ts';
import { firstDifference } from './first-difference.ts';
import type { WatchCache } from './watch-cache.ts';

/** Between two checks lies this time, and up to half as much again (apiserver/pkg/storage/cacher/delegator.go). */
const periodMs = 300_000;

const checks = processRegistry.counter(
  'apiserver_storage_consistency_checks_total',
  '[ALPHA] Counter for status of consistency checks between etcd and watch cache',
  ['group', 'resource', 'status'],
);

export interface ConsistencyCheckOptions {
  readonly cache: Pick<WatchCache, 'isReady' | 'unreadable' | 'waitForCurrent' | 'snapshot' | 'reload'>;
  readonly storage: Pick<Storage, 'list'>;
  /** Of the keys; ends with `/`. */
  readonly prefix: string;
  readonly measured: CachedResource;
  readonly reportError: (error: unknown) => void;
}

/**
 * Compares a watch cache with storage from time to time, and counts what it finds. A cache that differs is reported and
 * filled anew, where the reference goes on with it.
 */
export class ConsistencyCheck {
  readonly #options: ConsistencyCheckOptions;
  #timer: NodeJS.Timeout | undefined;
  #wasReady = false;
  #isClosed = false;

  constructor(options: ConsistencyCheckOptions) {
    this.#options = options;
    outsideRequests(() => outsideSpans(() => this.#schedule()));
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /** Checks once. A cache that nobody has needed yet holds nothing to be checked. */
  async check(): Promise<void> {
    const { cache, measured, reportError } = this.#options;
    this.#wasReady ||= cache.isReady();
    if (!this.#wasReady) return;
    let difference: string | undefined;
    try {
      difference = await this.#difference();
    } catch (error) {
      this.#count('error', error);
      return;
    }
    if (difference === undefined) return this.#count('success');
    const { group, resource } = measured;
    this.#count('failure', new Error(`the cache of ${resource}.${group} differs from storage: ${difference}`));
    if (!this.#isClosed) await cache.reload().catch(reportError);
  }

  async #difference(): Promise<string | undefined> {
    const { cache, storage, prefix } = this.#options;
    if (!cache.isReady()) throw new Error('cache is not ready');
    // What lies in storage is compared by its key alone, so the cache has to hold all of it.
    if (cache.unreadable.size > 0) throw new Error(`${cache.unreadable.size} objects cannot be read`);
    // The revision of a cache that saw no change for long may be compacted.
    await cache.waitForCurrent();
    return firstDifference(cache.snapshot(), storage, prefix);
  }

  #count(status: 'success' | 'failure' | 'error', error?: unknown): void {
    if (this.#isClosed) return;
    const { group, resource } = this.#options.measured;
    checks.add(group, resource, status);
    if (error !== undefined) this.#options.reportError(error);
  }

  #schedule(): void {
    if (this.#isClosed) return;
    const delayMs = periodMs * (1 + Math.random() / 2);
    this.#timer = setTimeout(() => void this.check().then(() => this.#schedule()), delayMs).unref();
  }
}
