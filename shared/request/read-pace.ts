/** What is sent within this time of what was sent before belongs to the same stream. */
const closeMs = 20;
/** So many parts that follow each other closely make a stream. */
const partsOfStream = 8;
const longestPauseMs = 4;
/** Pauses become longer while less than this comes in each, and shorter above {@link manyBytes}. */
const fewBytes = 32 * 1024;
const manyBytes = 128 * 1024;

/**
 * How long a connection is left unread after what it received is sent on. The output of a command comes in records of
 * one to four KiB: to wake up for each costs more than to pass it on, so that a few milliseconds' worth are read at a
 * time. The system's buffers hold them meanwhile. Nothing that was read waits, and nor does an answer: what the other
 * side says ends the stream (`reset`).
 */
export class ReadPace {
  #sentAtMs = 0;
  #parts = 0;
  #pauseMs = 0;

  /** Says that `bytes` were sent; returns for how many ms the connection is to be left unread, mostly 0. */
  pauseAfter(bytes: number): number {
    const nowMs = performance.now();
    const isClose = nowMs - this.#sentAtMs < closeMs + this.#pauseMs;
    this.#sentAtMs = nowMs;
    if (!isClose) this.reset();
    if (++this.#parts < partsOfStream) return 0;
    if (bytes < fewBytes) this.#pauseMs = Math.min(longestPauseMs, Math.max(1, 2 * this.#pauseMs));
    else if (bytes > manyBytes) this.#pauseMs = Math.floor(this.#pauseMs / 2);
    return this.#pauseMs;
  }

  /** The other side has said something, or a pause was longer than those of a stream. */
  reset(): void {
    this.#parts = 0;
    this.#pauseMs = 0;
  }
}
