import type { CacheEvent, CacheSnapshot, CacheWatch, WatchCache } from '#shared/watchcache/watch-cache.ts';
import { pauseAfter } from './back-off.ts';
import { followerScope } from './follower-scope.ts';

const backOff = { firstMs: 100, longestMs: 5_000 };

export interface CacheFollowerOptions {
  readonly cache: WatchCache;
  /** Prefix of the keys that are followed; default: all. */
  readonly prefix?: string;
  /**
   * Receives the whole state, at first and after each loss of the watch. May return a promise; events follow once it
   * has resolved.
   */
  readonly onState: (snapshot: CacheSnapshot) => void | Promise<void>;
  /** Receives the changes since the last call. Must not throw. */
  readonly onEvents: (events: readonly CacheEvent[]) => void;
  /**
   * Called if the cache could not be filled or `onState` failed, before the next attempt. Default: no action (the cache
   * itself reports errors).
   */
  readonly onError?: (error: unknown) => void;
}

/**
 * Follows a watch cache: passes on the whole state, then each change, and the whole state again after a lost watch.
 * Until the new state is passed on, the earlier one stays valid.
 */
export class CacheFollower {
  readonly #options: CacheFollowerOptions;
  readonly #scope = followerScope();
  #attempt: Promise<void> | undefined;
  #watch: CacheWatch | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #isReady = false;
  #closed = false;

  constructor(options: CacheFollowerOptions) {
    this.#options = options;
    this.#scope?.add(this);
  }

  /** Whether the whole state was passed on at least once. */
  isReady(): boolean {
    return this.#isReady;
  }

  /**
   * Resolves when the whole state was passed on. Following starts with the first call and continues on its own. Rejects
   * when the current attempt fails; a later call waits for the next attempt.
   */
  ready(): Promise<void> {
    return this.#isReady ? Promise.resolve() : this.#try();
  }

  /**
   * Resolves when everything that was stored at the call has been passed on.
   * @throws StatusError 504 when storage does not answer
   */
  async current(): Promise<void> {
    await this.ready();
    await this.#options.cache.waitForCurrent();
    // The cache passes events on in the turn of the event loop after it took them.
    await new Promise((resolve) => setImmediate(resolve));
  }

  close(): void {
    this.#closed = true;
    this.#scope?.remove(this);
    clearTimeout(this.#timer);
    this.#watch?.stop();
  }

  /** Begins an attempt unless one is under way. */
  #try(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#attempt === undefined) {
      this.#attempt = this.#begin();
      // The caller gets the error; the next attempt starts on its own.
      this.#attempt.catch((error: unknown) => this.#failed(error));
    }
    return this.#attempt;
  }

  async #begin(): Promise<void> {
    const { cache, prefix = '', onState, onEvents } = this.#options;
    await cache.ready();
    if (this.#closed) return;
    const snapshot = cache.snapshot();
    const pending = onState(snapshot);
    if (pending !== undefined) await pending;
    if (this.#closed) return;
    this.#isReady = true;
    this.#failures = 0;
    this.#watch = cache.watch({
      prefix,
      afterRevision: snapshot.revision,
      initialEvents: false,
      onEvents,
      onProgress: () => undefined,
      onClose: (reason) => {
        if (reason !== 'Stopped') this.#later(backOff.firstMs);
      },
    });
  }

  #failed(error: unknown): void {
    if (this.#closed) return;
    this.#options.onError?.(error);
    this.#later(pauseAfter(++this.#failures, backOff));
  }

  #later(ms: number): void {
    this.#attempt = undefined;
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.#try(), ms).unref();
  }
}
