import { nextSlice } from '#shared/apimachinery/slices/slices.ts';
import { pauseAfter, type BackOff } from './back-off.ts';
import { followerScope, type FollowerScope, type PausableWork } from './follower-scope.ts';
import { workQueueMetrics, type WorkQueueMetrics } from './work-queue-metrics.ts';

export interface WorkQueueOptions {
  /** In metrics; queues of the same name are counted together. */
  readonly name: string;
  /**
   * If it rejects, it is called again after a pause. Never called for a key while an earlier call for this key is under
   * way.
   */
  readonly work: (key: string) => Promise<void>;
  readonly backOff: BackOff;
  /** Time after a success until the work is repeated. Default: only when the key is added again. */
  readonly repeatMs?: number;
  /**
   * How many keys are worked on at a time; each then begins in its own turn of the event loop. Default: all, at once.
   */
  readonly concurrency?: number;
  readonly onError?: (error: unknown) => void;
  /** Whether it waits while the objects of a cluster of tests go back (`follower-scope.ts`). Default: false. */
  readonly isPausable?: boolean;
}

interface Item {
  /** When it was added, and when its work began; by performance.now. */
  sinceMs: number;
  isRunning: boolean;
  /** The key was added, and no work on it has begun since. */
  isWaiting: boolean;
  failures: number;
  timer: NodeJS.Timeout | undefined;
}

function newItem(): Item {
  return { sinceMs: performance.now(), isRunning: false, isWaiting: false, failures: 0, timer: undefined };
}

/** Runs work for keys: a key that is added twice before its work begins is worked on once; failed work is repeated. */
export class WorkQueue implements PausableWork {
  readonly #options: WorkQueueOptions;
  readonly #items = new Map<string, Item>();
  /** Keys whose work may begin, in the order in which they were added. */
  readonly #waiting = new Set<string>();
  readonly #metrics: WorkQueueMetrics;
  readonly #scope: FollowerScope | undefined;
  #running = 0;
  #closed = false;
  #isPaused = false;
  #idle: PromiseWithResolvers<void> | undefined;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#metrics = workQueueMetrics(options.name, this);
    this.#scope = options.isPausable === true ? followerScope() : undefined;
    this.#scope?.addWork(this);
  }

  /** See `PausableWork`. */
  async pause(): Promise<void> {
    this.#isPaused = true;
    if (this.#running > 0) await (this.#idle ??= Promise.withResolvers()).promise;
  }

  resume(): void {
    this.#isPaused = false;
    this.#fill();
  }

  /** Works on the key as soon as possible, even during a pause after a failure. */
  add(key: string): void {
    if (this.#closed) return;
    const item = this.#item(key);
    clearTimeout(item.timer);
    item.timer = undefined;
    if (!item.isWaiting) {
      this.#metrics.adds.value++;
      if (!item.isRunning) item.sinceMs = performance.now();
    }
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

  /** No work for the key begins until it is added again. */
  forget(key: string): void {
    clearTimeout(this.#items.get(key)?.timer);
    this.#items.delete(key);
    this.#waiting.delete(key);
  }

  /** Keys whose work has not begun. */
  get depth(): number {
    return this.#waiting.size;
  }

  /** For how long each running work has been running, ms. */
  *runningMs(): Iterable<number> {
    const nowMs = performance.now();
    for (const { isRunning, sinceMs } of this.#items.values()) if (isRunning) yield nowMs - sinceMs;
  }

  close(): void {
    this.#closed = true;
    this.#scope?.removeWork(this);
    this.#metrics.queues.delete(this);
    for (const key of this.#items.keys()) this.forget(key);
  }

  #item(key: string): Item {
    let item = this.#items.get(key);
    if (item === undefined) this.#items.set(key, (item = newItem()));
    return item;
  }

  #fill(): void {
    if (this.#isPaused) return;
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
    const startedMs = performance.now();
    this.#metrics.waited.observe((startedMs - item.sinceMs) / 1000);
    item.sinceMs = startedMs;
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
    if (this.#running === 0) {
      this.#idle?.resolve();
      this.#idle = undefined;
    }
    this.#metrics.worked.observe((performance.now() - startedMs) / 1000);
    item.sinceMs = performance.now();
    if (this.#items.get(key) === item) this.#comeAgain(key, item);
    this.#fill();
  }

  #comeAgain(key: string, item: Item): void {
    const { backOff, repeatMs } = this.#options;
    if (item.isWaiting) this.#waiting.add(key);
    else if (item.failures > 0) {
      this.#metrics.retries.value++;
      this.addAfter(key, pauseAfter(item.failures, backOff));
    } else if (repeatMs !== undefined && item.timer === undefined) this.addAfter(key, repeatMs);
    else if (item.timer === undefined) this.#items.delete(key);
  }
}
