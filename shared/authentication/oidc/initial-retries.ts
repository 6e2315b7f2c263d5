const everyMs = 10_000;

/** Tries something at once, and every ten seconds until it succeeds. Does not keep the process alive. */
export class InitialRetries {
  readonly #attempt: () => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  /** Settles with the attempt under way, or the last one; never rejects. */
  attempt: Promise<void>;

  constructor(attempt: () => Promise<void>, onError: (error: unknown) => void) {
    this.#attempt = attempt;
    this.#onError = onError;
    this.attempt = this.#try();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #try(): Promise<void> {
    try {
      await this.#attempt();
    } catch (error) {
      if (this.#closed) return;
      this.#onError(error);
      this.#timer = setTimeout(() => {
        this.attempt = this.#try();
      }, everyMs).unref();
    }
  }
}
