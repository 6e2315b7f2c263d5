export interface ReconcilerOptions {
  /** Does the work. May resolve to the milliseconds until the next round, which then replace `everyMs`. */
  readonly round: () => Promise<number | undefined | void>;
  /** Called when a round failed; the next round comes as usual. */
  readonly onError: (error: unknown) => void;
  /** Time between rounds after {@link Reconciler.begin} was called. Default: rounds run only when requested. */
  readonly everyMs?: number;
  /** Requests within this time share one round. Default: 0, which begins the round at once. */
  readonly settleMs?: number;
}

/** Runs rounds of one piece of work, at intervals and on request, one at a time. */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  #running: Promise<void> = Promise.resolve();
  #period: NodeJS.Timeout | undefined;
  #settling: NodeJS.Timeout | undefined;
  #isAsked = false;
  #hasBegun = false;
  #closed = false;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
  }

  /** Begins to run rounds at intervals, the first after `inMs`. */
  begin(inMs: number | undefined = this.#options.everyMs): void {
    this.#hasBegun = true;
    this.#schedule(inMs);
  }

  /** Requests a round; further requests before it begins share it. */
  request(): void {
    if (this.#isAsked || this.#closed) return;
    this.#isAsked = true;
    const { settleMs = 0 } = this.#options;
    if (settleMs === 0) void this.run();
    else this.#settling = setTimeout(() => void this.run(), settleMs).unref();
  }

  /** Runs a round; resolves after it, whether it failed or not. */
  run(): Promise<void> {
    return (this.#running = this.#running.then(() => this.#round()));
  }

  /** Resolves when the round under way has ended; no other begins. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#period);
    clearTimeout(this.#settling);
    await this.#running;
  }

  async #round(): Promise<void> {
    // What was requested before a round begins is in it.
    this.#isAsked = false;
    clearTimeout(this.#settling);
    if (this.#closed) return;
    let nextMs: number | undefined;
    try {
      nextMs = (await this.#options.round()) ?? undefined;
    } catch (error) {
      if (!this.#closed) this.#options.onError(error);
    }
    if (this.#hasBegun) this.#schedule(nextMs ?? this.#options.everyMs);
  }

  #schedule(ms: number | undefined): void {
    clearTimeout(this.#period);
    if (ms !== undefined && !this.#closed) this.#period = setTimeout(() => void this.run(), ms).unref();
  }
}
