import { LRUCache } from 'lru-cache';
import { shortKey } from '#shared/caches/short-key.ts';
import type { AccessStatus } from './access-status.ts';

const maxAnswers = 8192;
/** Longer reasons are not kept: the webhook chooses their length. */
const maxReason = 10_000;

/** How long answers are used again; 0: not at all. */
export interface AnswerTimes {
  readonly authorizedMs: number;
  readonly unauthorizedMs: number;
}

/** Answers of one webhook by the text of the question; those that were not used for longest are forgotten. */
export class KeptAnswers {
  readonly #times: AnswerTimes;
  readonly #answers = new LRUCache<string, AccessStatus>({ max: maxAnswers, ttlResolution: 0 });

  constructor(times: AnswerTimes) {
    this.#times = times;
  }

  get(question: string): AccessStatus | undefined {
    return this.#answers.get(shortKey(question));
  }

  add(question: string, status: AccessStatus): void {
    const ttl = status.allowed ? this.#times.authorizedMs : this.#times.unauthorizedMs;
    if (ttl > 0 && status.reason.length <= maxReason) this.#answers.set(shortKey(question), status, { ttl });
  }
}
