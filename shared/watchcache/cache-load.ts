import { outsideSpans } from '#shared/spans/active-span.ts';
import { recentRevision, type StorageWatch, type StorageWatchHandlers } from '#shared/storage/storage.ts';
import { isGone } from './cache-failures.ts';
import { watchStorage } from './cache-metrics.ts';
import type { EntryIndex } from './entry-index.ts';
import { loadInitialState } from './initial-list.ts';
import { LoadOrder } from './load-order.ts';
import { RetryPause } from './retry-pause.ts';
import type { StorageWatchCacheOptions } from './storage-watch-cache-options.ts';

const firstRetryMs = 50;
const longestRetryMs = 5_000;

type FirstRevision = () => Promise<number>;

/** What a cache holds from now on; `unreadable` are the keys of objects that it lacks. */
export type Adopt = (index: EntryIndex, revision: number, unreadable: Set<string>) => void;

/**
 * Reads the state of one cache from storage: at its start, and when storage has lost history. That is no part of the
 * request that needs the cache first.
 */
export class CacheLoad {
  readonly #options: StorageWatchCacheOptions;
  readonly #order = new LoadOrder();
  readonly #retry = new RetryPause();
  #isClosed = false;

  constructor(options: StorageWatchCacheOptions) {
    this.#options = options;
  }

  /** Watches storage from a revision on. */
  watch(fromRevision: number, handlers: StorageWatchHandlers): StorageWatch {
    return watchStorage(this.#options, fromRevision, handlers);
  }

  /** Somebody waits for the load that runs or is about to begin. */
  hurry(): void {
    if (!this.#isClosed) this.#order.hurry();
  }

  close(): void {
    this.#isClosed = true;
    this.#retry.end();
    this.#order.end();
  }

  /**
   * Lists until it succeeds, at revision `first` if that is given, or at a recent one if it is compacted, and passes the
   * state to `adopt`. Returns whether it is a state of the past, which lacks later writes.
   */
  async run(first: FirstRevision | undefined, adopt: Adopt): Promise<boolean> {
    try {
      return await outsideSpans(() => this.#untilDone(first, adopt));
    } finally {
      this.#order.end();
    }
  }

  /** Tries until it succeeds or the cache is closed. */
  async insist(attempt: () => Promise<unknown>): Promise<void> {
    for (let pauseMs = firstRetryMs; !this.#isClosed; pauseMs = Math.min(pauseMs * 2, longestRetryMs)) {
      try {
        await outsideSpans(attempt);
        return;
      } catch (error) {
        this.#options.reportError(error);
        await this.#retry.wait(pauseMs);
      }
    }
  }

  async #untilDone(first: FirstRevision | undefined, adopt: Adopt): Promise<boolean> {
    const { storage, prefix, decode, onUndecodable, reportError } = this.#options;
    let unreadable = new Set<string>();
    const work = {
      decode,
      onUndecodable(key: string, error: unknown) {
        unreadable.add(key);
        onUndecodable(key, error);
      },
      nextTurn: () => this.#order.nextTurn(),
    };
    let fromWhere = first;
    for (let pauseMs = firstRetryMs; !this.#isClosed; pauseMs = Math.min(pauseMs * 2, longestRetryMs)) {
      let from = 0;
      unreadable = new Set();
      try {
        from = (await fromWhere?.()) ?? 0;
        const { index, revision } = await loadInitialState(storage, prefix, from, work);
        if (this.#isClosed) return false;
        adopt(index, revision, unreadable);
        return from > 0;
      } catch (error) {
        if (from > 0 && isGone(error)) {
          fromWhere = fromWhere === first ? () => recentRevision(storage) : undefined;
          continue;
        }
        reportError(error);
        await this.#retry.wait(pauseMs);
      }
    }
    return false;
  }
}
