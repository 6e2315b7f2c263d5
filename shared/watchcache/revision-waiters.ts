import { newTooLargeResourceVersion } from '#shared/apimachinery/errors/status.ts';

/**
 * How long a read waits for a revision before it is answered with "try again"
 * (apiserver/pkg/storage/cacher/watch_cache.go).
 */
const waitMs = 3_000;
const retryAfterSeconds = 1;
/** Time between requests for progress while a read waits (apiserver/pkg/storage/cacher/progress). */
const pollMs = 100;

interface Waiter {
  readonly revision: number;
  readonly untilMs: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Reads that wait until the cache is new enough. They share one timer, which runs only while there are any. */
export class RevisionWaiters {
  readonly #poll: () => void;
  readonly #current: () => number;
  #waiters: Waiter[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param poll requests a progress report from etcd. */
  constructor(current: () => number, poll: () => void) {
    this.#current = current;
    this.#poll = poll;
  }

  wait(revision: number, nowMs = performance.now()): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiters.push({ revision, untilMs: nowMs + waitMs, resolve, reject });
      this.#poll();
      this.#timer ??= setInterval(() => this.#tick(performance.now()), pollMs);
    });
  }

  advance(revision: number): void {
    if (this.#waiters.length === 0) return;
    this.#keep((waiter) => {
      if (waiter.revision > revision) return true;
      waiter.resolve();
      return false;
    });
  }

  fail(error: Error): void {
    this.#keep((waiter) => {
      waiter.reject(error);
      return false;
    });
  }

  #tick(nowMs: number): void {
    const current = this.#current();
    this.#keep((waiter) => {
      if (waiter.untilMs > nowMs) return true;
      waiter.reject(newTooLargeResourceVersion(waiter.revision, current, retryAfterSeconds));
      return false;
    });
    if (this.#waiters.length > 0) this.#poll();
  }

  #keep(stays: (waiter: Waiter) => boolean): void {
    this.#waiters = this.#waiters.filter(stays);
    if (this.#waiters.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
