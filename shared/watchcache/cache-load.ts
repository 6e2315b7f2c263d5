import { recentRevision } from '#shared/storage/storage.ts';
import { isGone } from './cache-failures.ts';
import type { EntryIndex } from './entry-index.ts';
import { loadInitialState } from './initial-list.ts';
import { LoadOrder } from './load-order.ts';
import { RetryPause } from './retry-pause.ts';
import type { StorageWatchCacheOptions } from './storage-watch-cache-options.ts';

const firstRetryMs = 50;
const longestRetryMs = 5_000;

type FirstRevision = () => Promise<number>;

/** Reads the state of one cache from storage: at its start, and when storage has lost history. */
export class CacheLoad {
  readonly #options: StorageWatchCacheOptions;
  readonly #order = new LoadOrder();
  readonly #retry = new RetryPause();
  #isClosed = false;

  constructor(options: StorageWatchCacheOptions) {
    this.#options = options;
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
  async run(first: FirstRevision | undefined, adopt: (index: EntryIndex, revision: number) => void): Promise<boolean> {
    try {
      return await this.#untilDone(first, adopt);
    } finally {
      this.#order.end();
    }
  }

  /** Tries until it succeeds or the cache is closed. */
  async insist(attempt: () => Promise<unknown>): Promise<void> {
    for (let pauseMs = firstRetryMs; !this.#isClosed; pauseMs = Math.min(pauseMs * 2, longestRetryMs)) {
      try {
        await attempt();
        return;
      } catch (error) {
        this.#options.reportError(error);
        await this.#retry.wait(pauseMs);
      }
    }
  }

  async #untilDone(
    first: FirstRevision | undefined,
    adopt: (index: EntryIndex, revision: number) => void,
  ): Promise<boolean> {
    const { storage, prefix, decode, onUndecodable, reportError } = this.#options;
    const work = { decode, onUndecodable, nextTurn: () => this.#order.nextTurn() };
    let fromWhere = first;
    for (let pauseMs = firstRetryMs; !this.#isClosed; pauseMs = Math.min(pauseMs * 2, longestRetryMs)) {
      let from = 0;
      try {
        from = (await fromWhere?.()) ?? 0;
        const { index, revision } = await loadInitialState(storage, prefix, from, work);
        if (this.#isClosed) return false;
        adopt(index, revision);
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
