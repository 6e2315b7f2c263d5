import { newTooLargeResourceVersion } from '#shared/apimachinery/errors/status.ts';
import { newestRevision } from './cache-failures.ts';
import type { RevisionWaiters } from './revision-waiters.ts';
import type { StorageWatchCacheOptions } from './storage-watch-cache-options.ts';

/** Waits until a cache is as new as a reader wants it to be. */
export class FreshReads {
  readonly #options: Pick<StorageWatchCacheOptions, 'storage' | 'refusesFuture'>;
  readonly #waiters: RevisionWaiters;
  readonly #revision: () => number;

  /** `revision` is that of the cache. */
  constructor(
    options: Pick<StorageWatchCacheOptions, 'storage' | 'refusesFuture'>,
    waiters: RevisionWaiters,
    revision: () => number,
  ) {
    this.#options = options;
    this.#waiters = waiters;
    this.#revision = revision;
  }

  async atLeast(revision: number): Promise<void> {
    if (this.#revision() >= revision) return;
    if (this.#options.refusesFuture) await this.#refuseFuture(revision);
    await this.#waiters.wait(revision);
  }

  /** As new as storage was after the call; resolves to its revision. */
  async current(): Promise<number> {
    const { storage } = this.#options;
    // The cache lacks writes of this process: progress is requested together with the revision, not after it.
    if (this.#revision() < storage.writtenRevision) storage.requestProgress();
    const revision = await newestRevision(storage);
    if (this.#revision() < revision) await this.#waiters.wait(revision);
    return revision;
  }

  async #refuseFuture(revision: number): Promise<void> {
    const current = await newestRevision(this.#options.storage);
    if (revision > current) throw newTooLargeResourceVersion(revision, current, 0);
  }
}
