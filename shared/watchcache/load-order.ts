import { setTimeout as pause } from 'node:timers/promises';

/** A load that nobody waits for goes on a little in each of these intervals, however long others take. */
const longestHoldMs = 1_000;

/** Loads that somebody waits for, and what ends the wait of the others. */
const awaited = new Set<LoadOrder>();
let changed = Promise.withResolvers<void>();

function notifyWaiting(): void {
  changed.resolve();
  changed = Promise.withResolvers();
}

/**
 * The place of one cache among those that are being loaded: while a request waits for a cache, caches that are only
 * filled in advance hold back.
 */
export class LoadOrder {
  /** Somebody waits for this load, which has not ended. */
  hurry(): void {
    if (awaited.has(this)) return;
    awaited.add(this);
    notifyWaiting();
  }

  /** Other work runs meanwhile; resolves when this load may go on. */
  async nextTurn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (awaited.has(this)) return;
    const deadline = performance.now() + longestHoldMs;
    while (awaited.size > 0 && !awaited.has(this)) {
      const left = deadline - performance.now();
      if (left <= 0) return;
      await Promise.race([changed.promise, pause(left, undefined, { ref: false })]);
    }
  }

  end(): void {
    if (awaited.delete(this)) notifyWaiting();
  }
}
