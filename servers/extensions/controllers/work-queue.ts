import { nextSlice } from '../../../shared/apimachinery/slices.ts';

const firstRetryMs = 100;
const lastRetryMs = 10_000;

/**
 * A queue of names, handled one at a time. A name that is added twice is handled once; a name that fails is tried again
 * with growing delays.
 */
export class WorkQueue {
  readonly #work: (name: string) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #waiting = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #running = false;
  #closed = false;

  constructor(work: (name: string) => Promise<void>, onError: (error: unknown) => void) {
    this.#work = work;
    this.#onError = onError;
  }

  add(name: string): void {
    if (this.#closed) return;
    this.#waiting.add(name);
    if (!this.#running) void this.#run();
  }

  addAfter(name: string, ms: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.add(name);
    }, ms).unref();
    this.#timers.add(timer);
  }

  close(): void {
    this.#closed = true;
    this.#waiting.clear();
    for (const timer of this.#timers) clearTimeout(timer);
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (const name of this.#waiting) {
      this.#waiting.delete(name);
      // Not in the turn in which it was added, and not all in one.
      await nextSlice();
      if (this.#closed) break;
      try {
        await this.#work(name);
        this.#failures.delete(name);
      } catch (error) {
        if (this.#closed) break;
        this.#onError(error);
        const failures = this.#failures.get(name) ?? 0;
        this.#failures.set(name, failures + 1);
        this.addAfter(name, Math.min(firstRetryMs * 2 ** failures, lastRetryMs));
      }
    }
    this.#running = false;
  }
}
