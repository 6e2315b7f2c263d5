import { humanDuration, humanDurationLasts } from './human-duration.ts';

/** The time from which the ages in rows are computed, and until when rows printed with it stay the same. */
export class AgeClock {
  readonly nowMs: number;
  #sameUntilMs = Number.POSITIVE_INFINITY;

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  /** Every age that was told since {@link restart} reads the same before this moment. */
  get sameUntilMs(): number {
    return this.#sameUntilMs;
  }

  restart(): void {
    this.#sameUntilMs = Number.POSITIVE_INFINITY;
  }

  /** Time since a moment. */
  age(sinceMs: number): string {
    const { nowMs } = this;
    const until = nowMs + humanDurationLasts(nowMs - sinceMs);
    if (until < this.#sameUntilMs) this.#sameUntilMs = until;
    return humanDuration(nowMs - sinceMs);
  }
}
