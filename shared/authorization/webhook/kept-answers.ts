import { LRUCache } from 'lru-cache';
import { shortKey } from '#shared/caches/short-key.ts';
import type { AccessStatus } from './access-status.ts';

const maxAnswers = 8192;
/** Of all reasons together, and of one: the webhook chooses their lengths. */
const maxCharacters = 8 * 1024 * 1024;
const maxReason = 256 * 1024;

/** How long answers are used again; 0: not at all. */
export interface AnswerTimes {
  readonly authorizedMs: number;
  readonly unauthorizedMs: number;
}

/** Answers of one webhook by the text of the question; those that were not used for longest are forgotten. */
export class KeptAnswers {
  readonly #times: AnswerTimes;
  readonly #answers = new LRUCache<string, AccessStatus>({
    max: maxAnswers,
    maxSize: maxCharacters,
    maxEntrySize: maxReason,
    sizeCalculation: ({ reason }) => reason.length + 1,
    ttlResolution: 0,
  });

  constructor(times: AnswerTimes) {
    this.#times = times;
  }

  get(question: string): AccessStatus | undefined {
    return this.#answers.get(shortKey(question));
  }

  add(question: string, status: AccessStatus): void {
    const ttl = status.allowed ? this.#times.authorizedMs : this.#times.unauthorizedMs;
    if (ttl > 0) this.#answers.set(shortKey(question), status, { ttl });
  }
}
