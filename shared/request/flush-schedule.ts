/**
 * Flushes within this time follow each other directly. It is shorter than the time to any reply, so that a dialogue is
 * never delayed.
 */
const atOnceMs = 0.3;
const busyStreak = 8;
const whileMs = 1;
/** With fewer pieces in {@link whileMs}, the connection no longer counts as a stream. */
const busyPieces = 3;
const enoughBytes = 32 * 1024;

/**
 * When the pieces that a connection gathers are sent. TLS delivers each record separately. Pieces of a continuous
 * stream are gathered for a millisecond, or up to 32 KiB; pieces after a pause are sent at the end of their turn of the
 * event loop.
 */
export class FlushSchedule {
  readonly #flush: () => void;
  #pieces = 0;
  #flushedAtMs = 0;
  /** The number of flushes that followed each other within {@link atOnceMs}. */
  #streak = 0;
  #wait: 'none' | 'turn' | 'while' = 'none';
  #timer: NodeJS.Timeout | undefined;

  constructor(flush: () => void) {
    this.#flush = flush;
  }

  /**
   * Says that a piece was gathered; `pendingBytes` are gathered by now. Returns whether it is the first one since the
   * last flush.
   */
  add(pendingBytes: number): boolean {
    this.#pieces++;
    if (this.#wait === 'turn') return false;
    const isFirst = this.#wait === 'none';
    if (isFirst && this.#streak >= busyStreak) {
      this.#wait = 'while';
      this.#timer = setTimeout(this.#run, whileMs);
      return true;
    }
    if (!isFirst) {
      if (pendingBytes < enoughBytes) return false;
      clearTimeout(this.#timer);
    }
    this.#wait = 'turn';
    setImmediate(this.#run);
    return isFirst;
  }

  readonly #run = (): void => {
    const nowMs = performance.now();
    const isBusy = this.#streak >= busyStreak ? this.#pieces >= busyPieces : nowMs - this.#flushedAtMs < atOnceMs;
    this.#streak = isBusy ? Math.min(this.#streak + 1, busyStreak) : 0;
    this.#flushedAtMs = nowMs;
    this.#pieces = 0;
    this.#wait = 'none';
    this.#flush();
  };
}
