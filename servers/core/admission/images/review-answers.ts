import { shortKey } from '#shared/caches/short-key.ts';
import type { ReviewStatus } from './review-answer.ts';

const maxAnswers = 1024;

interface Kept {
  readonly status: ReviewStatus;
  readonly until: number;
}

/** Answers of the webhook that are used again for a while; those that were not used for longest are forgotten. */
export class ReviewAnswers {
  readonly #allowMs: number;
  readonly #denyMs: number;
  readonly #now: () => number;
  /** By the spec of the review, the one that was used last at the end. */
  readonly #kept = new Map<string, Kept>();

  /** `now`: milliseconds of a clock that is never set back. */
  constructor(
    { allowMs, denyMs }: { readonly allowMs: number; readonly denyMs: number },
    now: () => number = () => performance.now(),
  ) {
    this.#allowMs = allowMs;
    this.#denyMs = denyMs;
    this.#now = now;
  }

  get(spec: string): ReviewStatus | undefined {
    const key = shortKey(spec);
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    if (kept.until <= this.#now()) return undefined;
    this.#kept.set(key, kept);
    return kept.status;
  }

  add(spec: string, status: ReviewStatus): void {
    const key = shortKey(spec);
    this.#kept.delete(key);
    this.#kept.set(key, { status, until: this.#now() + (status.allowed ? this.#allowMs : this.#denyMs) });
    if (this.#kept.size <= maxAnswers) return;
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined) this.#kept.delete(oldest);
  }
}
