/** Thrown instead of a write that was decided on before a rollback. */
export class UndoneError extends Error {
  override readonly name = 'UndoneError';

  constructor() {
    super('the cluster was rolled back meanwhile');
  }
}

/**
 * Runs the work of a queue for a key. What a rollback undid is no failure, after which a queue pauses ever longer: it
 * is done again at once.
 */
export async function againIfUndone(
  queue: { add(key: string): void },
  key: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof UndoneError)) throw error;
    queue.add(key);
  }
}

/** The time from reading what a decision is made from to the writes that follow from it. */
export interface Turn {
  /**
   * Sends a write.
   * @throws UndoneError (as a rejection) if the cluster was rolled back since the turn began
   */
  write<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Keeps what controllers decide apart from rollbacks. A write that is decided on by what was true before a rollback,
 * and arrives after it, would delete what is there again: an object whose owner was gone for a while has the same uid
 * and the same version as before, so that no precondition of the request could tell.
 */
export class Turns {
  readonly #onResumed: (() => void)[] = [];
  #rollbacks = 0;
  #paused: PromiseWithResolvers<void> | undefined;
  #writing = 0;
  #idle: PromiseWithResolvers<void> | undefined;

  /** Begins a turn, when no rollback is under way. */
  async begin(): Promise<Turn> {
    while (this.#paused !== undefined) await this.#paused.promise;
    const began = this.#rollbacks;
    return {
      write: async (work) => {
        if (this.#rollbacks !== began) throw new UndoneError();
        this.#writing++;
        try {
          return await work();
        } finally {
          this.#writing--;
          if (this.#writing === 0) this.#idle?.resolve();
        }
      },
    };
  }

  /** Called whenever the state may have gone back. */
  onResumed(listener: () => void): void {
    this.#onResumed.push(listener);
  }

  /** Resolves when no write is under way; none begins before {@link resume}. */
  async pause(): Promise<void> {
    while (this.#paused !== undefined) await this.#paused.promise;
    this.#paused = Promise.withResolvers();
    this.#rollbacks++;
    if (this.#writing === 0) return;
    this.#idle = Promise.withResolvers();
    await this.#idle.promise;
    this.#idle = undefined;
  }

  resume(): void {
    const paused = this.#paused;
    this.#paused = undefined;
    for (const listener of this.#onResumed) listener();
    paused?.resolve();
  }
}
