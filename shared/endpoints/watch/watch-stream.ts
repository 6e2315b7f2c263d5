import { newInternalError, StatusError, toStatus, type Status } from '#shared/apimachinery/errors/status.ts';
import type { Exchange, ResponseStream } from '#shared/request/exchange.ts';
import type { CacheEvent, CacheWatch, CacheWatchOptions } from '#shared/watchcache/watch-cache.ts';
import { startTicking, stopTicking, type Ticking } from './watch-clock.ts';
import type { WatchEncoding } from './watch-encoding.ts';
import type { SentEvents } from './watch-metrics.ts';

export interface WatchStreamOptions {
  /** Absent where events are not counted. */
  readonly counts?: SentEvents;
  readonly exchange: Exchange;
  readonly response: ResponseStream;
  readonly encoding: WatchEncoding;
  readonly timeoutMs: number;
  /** Whether the client requested bookmarks. */
  readonly bookmarks: boolean;
  /** Whether a bookmark marks the end of the initial events. */
  readonly marksInitialEnd: boolean;
  /** Called when the initial events have been written. */
  readonly onInitialEnd?: (() => void) | undefined;
  /** The Status that is sent when the event history does not reach back to the start revision. */
  readonly expired: () => Status;
}

type Selected = Omit<CacheWatchOptions, 'onEvents' | 'onProgress' | 'onClose'>;

/** One bookmark per minute, and one shortly before the end so that the client can resume from it. */
const bookmarkEveryMs = 60_000;
const bookmarkBeforeEndMs = 2_000;

/** One open watch: events of the cache are sent as the client reads them. */
export class WatchStream implements Ticking {
  readonly #options: WatchStreamOptions;
  readonly #endsAtMs: number;
  #nextBookmarkMs: number;
  #bookmarked = 0;
  #watch: CacheWatch | undefined;
  #paused = false;
  #ended = false;

  constructor(options: WatchStreamOptions) {
    this.#options = options;
    const nowMs = performance.now();
    this.#endsAtMs = nowMs + options.timeoutMs;
    this.#nextBookmarkMs = this.#afterBookmark(nowMs);
  }

  /** Opens the watch. `fail` ends it with an error. */
  run(open: (options: CacheWatchOptions, fail: (error: unknown) => void) => CacheWatch, selected: Selected): void {
    const { response, exchange } = this.#options;
    exchange.onClose(() => this.#stop());
    response.onDrain(() => this.#resume());
    startTicking(this);
    this.#watch = open(
      {
        ...selected,
        onEvents: (events, once) => this.#send(events, once === true),
        onProgress: (revision, initialDone) => {
          if (!initialDone) return;
          if (this.#options.marksInitialEnd) this.#bookmark(revision, true);
          this.#options.onInitialEnd?.();
        },
        onClose: (reason) => this.#onCacheClose(reason),
      },
      (error) => this.#fail(error),
    );
    if (this.#ended) this.#watch.stop();
    else if (this.#paused) this.#watch.pause();
  }

  #send(events: readonly CacheEvent[], once: boolean): void {
    if (this.#ended || events.length === 0) return;
    const frames = once ? this.#options.encoding.frames(events) : this.#options.encoding.batch(events);
    this.#count(events.length, frames);
    this.#write(frames);
  }

  /** Frames may hold several events: each is counted with their average size. */
  #count(events: number, frames: readonly Buffer[]): void {
    const { counts } = this.#options;
    if (counts === undefined) return;
    let bytes = 0;
    for (const frame of frames) bytes += frame.length;
    counts.events.value += events;
    for (let at = 0; at < events; at++) counts.bytes.observe(bytes / events);
  }

  /** Writes all frames even if the buffer is full: their events count as sent. */
  #write(frames: readonly Buffer[]): void {
    let hasRoom = true;
    for (const bytes of frames) hasRoom = this.#options.response.write(bytes);
    if (hasRoom || this.#paused) return;
    this.#paused = true;
    this.#watch?.pause();
  }

  #resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#watch?.resume();
  }

  tick(nowMs: number): boolean {
    if (this.#ended) return false;
    if (nowMs >= this.#endsAtMs) {
      this.#end();
      return false;
    }
    if (this.#options.bookmarks && nowMs >= this.#nextBookmarkMs) {
      this.#nextBookmarkMs = this.#afterBookmark(nowMs);
      const revision = this.#watch?.revision ?? 0;
      if (revision > this.#bookmarked && !this.#paused) this.#bookmark(revision, false);
    }
    return true;
  }

  #afterBookmark(nowMs: number): number {
    const regular = nowMs + bookmarkEveryMs;
    const last = this.#endsAtMs - bookmarkBeforeEndMs;
    return last > nowMs && last < regular ? last : regular;
  }

  #bookmark(revision: number, initialEventsEnd: boolean): void {
    if (this.#ended) return;
    this.#bookmarked = revision;
    const frames = [this.#options.encoding.bookmark(revision, initialEventsEnd)];
    this.#count(1, frames);
    this.#write(frames);
  }

  #onCacheClose(reason: 'Expired' | 'Overflow' | 'Reset' | 'Stopped'): void {
    if (this.#ended) return;
    if (reason === 'Expired') this.#options.response.write(this.#options.encoding.errorFrame(this.#options.expired()));
    // A slow client's stream just ends, as in the reference; the client then lists or watches again.
    this.#end();
  }

  #fail(error: unknown): void {
    if (this.#ended) return;
    const { encoding, response } = this.#options;
    response.write(
      encoding.errorFrame(toStatus(error instanceof StatusError ? error : newInternalError(String(error)))),
    );
    this.#end();
  }

  #end(): void {
    this.#stop();
    this.#options.response.end();
  }

  #stop(): void {
    if (this.#ended) return;
    this.#ended = true;
    stopTicking(this);
    this.#watch?.stop();
  }
}
