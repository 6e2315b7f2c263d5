import { Counter } from '#shared/observability/metrics/counter.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import { gaugeFamily } from '#shared/observability/metrics/gauge.ts';
import { Histogram } from '#shared/observability/metrics/histogram.ts';

const prefix = 'authentication_token_cache';
/** Prometheus' default. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts look-ups in caches of tokens (apiserver/pkg/authentication/token/cache/stats.go). */
export class TokenCacheMetrics {
  readonly families: readonly Family[];
  readonly #requests = new Counter(`${prefix}_request_total`, '[ALPHA] Look-ups of tokens.', ['status']);
  readonly #times = new Histogram(
    `${prefix}_request_duration_seconds`,
    '[ALPHA] Time of look-ups of tokens.',
    ['status'],
    buckets,
  );
  readonly #fetches = new Counter(`${prefix}_fetch_total`, '[ALPHA] Checks of tokens that were not kept.', ['status']);
  /** Look-ups that wait for a check, and checks under way. */
  #blocked = 0;
  #fetching = 0;

  constructor() {
    const active = gaugeFamily(
      {
        name: `${prefix}_active_fetch_count`,
        help: '[ALPHA] Checks of tokens under way.',
        labelNames: ['status'],
        merged: 'sum',
      },
      () => [
        [['blocked'], this.#blocked],
        [['in_flight'], this.#fetching],
      ],
      'never',
    );
    this.families = [this.#requests, this.#times, this.#fetches, active];
  }

  /** Counts a look-up that found its answer: in no time, since the reference counts whole milliseconds. */
  hit(): void {
    this.#requests.add('hit');
    this.#times.observe(0, 'hit');
  }

  /** Counts a look-up that waits for `answer`. */
  async missed<T>(answer: Promise<T>): Promise<T> {
    const startMs = performance.now();
    this.#blocked++;
    try {
      return await answer;
    } finally {
      this.#blocked--;
      this.#requests.add('miss');
      this.#times.observe(Math.floor(performance.now() - startMs) / 1000, 'miss');
    }
  }

  /** Counts a check. */
  async fetched<T>(answer: Promise<T>): Promise<T> {
    this.#fetching++;
    let status = 'error';
    try {
      const result = await answer;
      status = 'ok';
      return result;
    } finally {
      this.#fetching--;
      this.#fetches.add(status);
    }
  }
}
