export interface ReconcilerOptions {
  /** Brings about what is wanted. May say in how many milliseconds it wants the next round, instead of the period. */
  readonly round: () => Promise<number | undefined | void>;
  /** A round failed; the next one comes as if it had not. */
  readonly onError: (error: unknown) => void;
  /** Between rounds, from when {@link Reconciler.begin} was called. Default: only what is asked for. */
  readonly everyMs?: number;
  /** What is asked for within this time is one round. Default: 0, at once. */
  readonly settleMs?: number;
}

/** Runs rounds of one piece of work: at intervals and when asked for, one at a time. */
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

  /** Begins to run by itself, first after `inMs`. */
  begin(inMs: number | undefined = this.#options.everyMs): void {
    this.#hasBegun = true;
    this.#schedule(inMs);
  }

  /** Asks for a round; what is asked for before it begins is the same round. */
  request(): void {
    if (this.#isAsked || this.#closed) return;
    this.#isAsked = true;
    const { settleMs = 0 } = this.#options;
    if (settleMs === 0) void this.run();
    else this.#settling = setTimeout(() => void this.run(), settleMs).unref();
  }

  /** Resolves after a round, whether it failed or not. */
  run(): Promise<void> {
    return (this.#running = this.#running.then(() => this.#round()));
  }

  /** Resolves when the round under way has ended; there is none after it. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#period);
    clearTimeout(this.#settling);
    await this.#running;
  }

  async #round(): Promise<void> {
    this.#isAsked = false;
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
