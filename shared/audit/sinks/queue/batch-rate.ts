/** A token bucket: so many batches a second on average, and `burst` at once after a pause. */
export class BatchRate {
  readonly #perMs: number;
  readonly #burst: number;
  #tokens: number;
  #seenMs: number;

  constructor(qps: number, burst: number, nowMs: number) {
    this.#perMs = qps / 1000;
    this.#burst = burst;
    this.#tokens = burst;
    this.#seenMs = nowMs;
  }

  /** Takes the right to one batch. @returns 0, or the milliseconds until there may be one, and then nothing is taken */
  take(nowMs: number): number {
    this.#tokens = Math.min(this.#burst, this.#tokens + (nowMs - this.#seenMs) * this.#perMs);
    this.#seenMs = nowMs;
    if (this.#tokens < 1) return (1 - this.#tokens) / this.#perMs;
    this.#tokens--;
    return 0;
  }
}
