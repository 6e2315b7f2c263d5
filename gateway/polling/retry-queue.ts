export interface RetryQueueOptions {
  /** Rejects to be called again after a delay. Never called twice at a time for one key. */
  readonly work: (key: string) => Promise<void>;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** Again so long after a success. */
  readonly repeatMs?: number;
}

interface Item {
  running: boolean;
  again: boolean;
  failures: number;
  timer: NodeJS.Timeout | undefined;
}

/** Runs work for keys: once at a time a key, again when it was asked for meanwhile, later and later while it fails. */
export class RetryQueue {
  readonly #options: RetryQueueOptions;
  readonly #items = new Map<string, Item>();
  #closed = false;

  constructor(options: RetryQueueOptions) {
    this.#options = options;
  }

  /** As soon as possible, whatever delay the key is waiting out. */
  add(key: string): void {
    if (this.#closed) return;
    let item = this.#items.get(key);
    if (item === undefined)
      this.#items.set(key, (item = { running: false, again: false, failures: 0, timer: undefined }));
    clearTimeout(item.timer);
    item.timer = undefined;
    if (item.running) item.again = true;
    else void this.#run(key, item);
  }

  forget(key: string): void {
    clearTimeout(this.#items.get(key)?.timer);
    this.#items.delete(key);
  }

  close(): void {
    this.#closed = true;
    for (const key of this.#items.keys()) this.forget(key);
  }

  async #run(key: string, item: Item): Promise<void> {
    item.running = true;
    let failed = false;
    do {
      item.again = false;
      try {
        await this.#options.work(key);
        failed = false;
      } catch {
        failed = true;
      }
    } while (item.again && !this.#closed && this.#items.get(key) === item);
    item.running = false;
    item.failures = failed ? item.failures + 1 : 0;
    if (this.#closed || this.#items.get(key) !== item) return;
    const delayMs = failed ? this.#retryDelay(item.failures) : this.#options.repeatMs;
    if (delayMs !== undefined) item.timer = setTimeout(() => this.add(key), delayMs).unref();
  }

  #retryDelay(failures: number): number {
    return Math.min(this.#options.longestDelayMs, this.#options.firstDelayMs * 2 ** Math.min(failures - 1, 30));
  }
}
