import { newTooLargeResourceVersion } from '#shared/apimachinery/errors/status.ts';
import { newestRevision } from './cache-failures.ts';
import type { RevisionWaiters } from './revision-waiters.ts';
import type { StorageWatchCacheOptions } from './storage-watch-cache-options.ts';

type FreshReadsOptions = Pick<StorageWatchCacheOptions, 'storage' | 'refusesFuture' | 'reads'>;

/** Waits until a cache is as new as a reader wants it to be. */
export class FreshReads {
  readonly #options: FreshReadsOptions;
  readonly #waiters: RevisionWaiters;
  readonly #revision: () => number;

  /** `revision` is that of the cache. */
  constructor(options: FreshReadsOptions, waiters: RevisionWaiters, revision: () => number) {
    this.#options = options;
    this.#waiters = waiters;
    this.#revision = revision;
  }

  async atLeast(revision: number): Promise<void> {
    if (this.#revision() >= revision) {
      if (revision > 0) this.#options.reads?.waited(0);
      return;
    }
    if (this.#options.refusesFuture) await this.#refuseFuture(revision);
    await this.#wait(revision);
  }

  /** As new as storage was after the call; resolves to its revision. */
  async current(): Promise<number> {
    const { storage, reads } = this.#options;
    // The cache lacks writes of this process: progress is requested together with the revision, not after it.
    if (this.#revision() < storage.writtenRevision) storage.requestProgress();
    const startedMs = performance.now();
    let revision = 0;
    try {
      revision = await newestRevision(storage);
    } finally {
      // Revisions begin with 1.
      reads?.revisionRead(startedMs, revision === 0);
    }
    if (this.#revision() < revision) await this.#wait(revision);
    else reads?.waited(0);
    return revision;
  }

  async #wait(revision: number): Promise<void> {
    const startedMs = performance.now();
    try {
      await this.#waiters.wait(revision);
    } finally {
      this.#options.reads?.waited((performance.now() - startedMs) / 1000);
    }
  }

  async #refuseFuture(revision: number): Promise<void> {
    const current = await newestRevision(this.#options.storage);
    if (revision > current) throw newTooLargeResourceVersion(revision, current, 0);
  }
}
