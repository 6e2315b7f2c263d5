import type { CacheEvent, CacheWatch, CacheWatchOptions, WatchCache } from '#shared/watchcache/watch-cache.ts';

/** A watcher that records its events, and can be awaited. */
export class RecordingWatch {
  readonly events: CacheEvent[] = [];
  readonly calls: (readonly CacheEvent[])[] = [];
  closed: string | undefined;
  initialDoneAt: number | undefined;
  readonly watch: CacheWatch;
  #waiting: { readonly until: () => boolean; readonly resolve: () => void }[] = [];

  constructor(cache: WatchCache, options: Partial<CacheWatchOptions> = {}) {
    this.watch = cache.watch({
      prefix: '/things/',
      afterRevision: 0,
      initialEvents: false,
      ...options,
      onEvents: (events) => {
        this.calls.push(events);
        this.events.push(...events);
        this.#check();
      },
      onProgress: (revision, initialDone) => {
        if (initialDone) this.initialDoneAt = revision;
        this.#check();
      },
      onClose: (reason) => {
        this.closed = reason;
        this.#check();
      },
    });
  }

  /** `ADDED /things/a/x@7` for each event. */
  get lines(): string[] {
    return this.events.map(({ type, entry, revision }) => `${type} ${entry.key}@${revision}`);
  }

  async until(condition: () => boolean): Promise<void> {
    if (!condition()) await new Promise<void>((resolve) => this.#waiting.push({ until: condition, resolve }));
  }

  heard(count: number): Promise<void> {
    return this.until(() => this.events.length >= count);
  }

  #check(): void {
    const ready = this.#waiting.filter(({ until }) => until());
    this.#waiting = this.#waiting.filter((waiting) => !ready.includes(waiting));
    for (const { resolve } of ready) resolve();
  }
}
