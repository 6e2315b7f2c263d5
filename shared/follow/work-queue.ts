import { nextSlice } from '../apimachinery/slices.ts';
import { pauseAfter, type BackOff } from './back-off.ts';

export interface WorkQueueOptions {
  /** Rejects to be called again after a pause. Never called twice at a time for one key. */
  readonly work: (key: string) => Promise<void>;
  readonly backOff: BackOff;
  /** Again so long after a success. Default: only when it is added again. */
  readonly repeatMs?: number;
  /** How many keys are worked on at a time; each then begins in a turn of its own. Default: all, at once. */
  readonly concurrency?: number;
  readonly onError?: (error: unknown) => void;
}

interface Item {
  isRunning: boolean;
  /** Added, and no work on it has begun since. */
  isWaiting: boolean;
  failures: number;
  timer: NodeJS.Timeout | undefined;
}

/** Runs work for keys: a key that is added twice before its work begins is worked on once; what fails comes again. */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #items = new Map<string, Item>();
  /** Keys whose work may begin, in the order in which they were added. */
  readonly #waiting = new Set<string>();
  #running = 0;
  #closed = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  /** As soon as possible, whatever pause the key is in. */
  add(key: string): void {
    if (this.#closed) return;
    const item = this.#item(key);
    clearTimeout(item.timer);
    item.timer = undefined;
    item.isWaiting = true;
    if (item.isRunning) return;
    this.#waiting.add(key);
    this.#fill();
  }

  addAfter(key: string, ms: number): void {
    if (this.#closed) return;
    const item = this.#item(key);
    clearTimeout(item.timer);
    item.timer = setTimeout(() => this.add(key), ms).unref();
  }

  /** Its work is not begun again, until it is added. */
  forget(key: string): void {
    clearTimeout(this.#items.get(key)?.timer);
    this.#items.delete(key);
    this.#waiting.delete(key);
  }

  close(): void {
    this.#closed = true;
    for (const key of this.#items.keys()) this.forget(key);
  }

  #item(key: string): Item {
    let item = this.#items.get(key);
    if (item === undefined)
      this.#items.set(key, (item = { isRunning: false, isWaiting: false, failures: 0, timer: undefined }));
    return item;
  }

  #fill(): void {
    const { concurrency = Number.POSITIVE_INFINITY } = this.#options;
    for (const key of this.#waiting) {
      if (this.#running >= concurrency) return;
      this.#waiting.delete(key);
      const item = this.#items.get(key);
      if (item !== undefined) void this.#run(key, item);
    }
  }

  async #run(key: string, item: Item): Promise<void> {
    item.isRunning = true;
    this.#running++;
    if (this.#options.concurrency !== undefined) await nextSlice();
    item.isWaiting = false;
    if (this.#items.get(key) === item) {
      try {
        await this.#options.work(key);
        item.failures = 0;
      } catch (error) {
        item.failures++;
        if (!this.#closed) this.#options.onError?.(error);
      }
    }
    item.isRunning = false;
    this.#running--;
    if (this.#items.get(key) === item) this.#comeAgain(key, item);
    this.#fill();
  }

  #comeAgain(key: string, item: Item): void {
    const { backOff, repeatMs } = this.#options;
    if (item.isWaiting) this.#waiting.add(key);
    else if (item.failures > 0) this.addAfter(key, pauseAfter(item.failures, backOff));
    else if (repeatMs !== undefined && item.timer === undefined) this.addAfter(key, repeatMs);
    else if (item.timer === undefined) this.#items.delete(key);
  }
}
