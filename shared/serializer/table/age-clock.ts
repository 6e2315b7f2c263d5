import { humanDuration, humanDurationLasts } from './human-duration.ts';

/** The time for which the ages in rows are computed, and the time until which these rows stay the same. */
export class AgeClock {
  readonly nowMs: number;
  #sameUntilMs = Number.POSITIVE_INFINITY;

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  /** Every age computed since {@link restart} has the same text before this time. */
  get sameUntilMs(): number {
    return this.#sameUntilMs;
  }

  restart(): void {
    this.#sameUntilMs = Number.POSITIVE_INFINITY;
  }

  /** The time since a moment, as text. */
  age(sinceMs: number): string {
    const { nowMs } = this;
    const until = nowMs + humanDurationLasts(nowMs - sinceMs);
    if (until < this.#sameUntilMs) this.#sameUntilMs = until;
    return humanDuration(nowMs - sinceMs);
  }
}
