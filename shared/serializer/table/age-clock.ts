import { humanDuration, humanDurationLasts } from './human-duration.ts';

/** The moment whose ages rows tell, and until when the rows that were printed with it stay as they are. */
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
