import type { Family } from '#shared/observability/metrics/family.ts';
import { MetricsRegistry } from '#shared/observability/metrics/registry.ts';
import { RatioHistogram, type RatioClock, type RatioGauge } from './ratio-histogram.ts';

export type RequestKind = 'readOnly' | 'mutating';

const ratioBuckets = [0, 0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1];
const periodNs = 1e9;

/** How many requests of one kind are in one phase, and the most of them at once in the last second. */
export class PhaseCount {
  readonly ratio: RatioGauge;
  readonly #clock: RatioClock;
  #count = 0;
  #most = 0;
  #mostBefore = 0;
  #periodBeganNs = 0;

  constructor(ratio: RatioGauge, clock: RatioClock) {
    this.ratio = ratio;
    this.#clock = clock;
  }

  /** At the moment that the clock was read last. */
  add(change: 1 | -1): void {
    this.#roll(this.#clock.latestNs);
    this.#count += change;
    this.ratio.add(change);
    if (this.#count > this.#most) this.#most = this.#count;
  }

  addNow(change: 1 | -1): void {
    this.#clock.nowNs();
    this.add(change);
  }

  /** The most at once in the last whole second. */
  get mostOfLastSecond(): number {
    this.#roll(this.#clock.nowNs());
    return this.#mostBefore;
  }

  #roll(nowNs: number): void {
    const elapsedNs = nowNs - this.#periodBeganNs;
    if (elapsedNs < periodNs) return;
    this.#mostBefore = elapsedNs < 2 * periodNs ? this.#most : this.#count;
    this.#most = this.#count;
    this.#periodBeganNs = nowNs - (elapsedNs % periodNs);
  }
}

/** Reads and writes that are executed or wait in queues (apiserver/pkg/server/filters/maxinflight.go). */
export class ReadWriteMetrics {
  readonly executing: Readonly<Record<RequestKind, PhaseCount>>;
  readonly waiting: Readonly<Record<RequestKind, PhaseCount>>;
  readonly #registry = new MetricsRegistry();

  constructor(clock: RatioClock) {
    const ratios = this.#registry.add(
      new RatioHistogram(
        {
          name: 'apiserver_flowcontrol_read_vs_write_current_requests',
          help: '[ALPHA] For how many nanoseconds so many requests, as a share of their limit, waited or were executed',
          labelNames: ['phase', 'request_kind'],
        },
        ratioBuckets,
        clock,
      ),
    );
    const count = (phase: string, kind: RequestKind): PhaseCount => new PhaseCount(ratios.gauge(phase, kind), clock);
    const both = (phase: string): Record<RequestKind, PhaseCount> => ({
      mutating: count(phase, 'mutating'),
      readOnly: count(phase, 'readOnly'),
    });
    this.executing = both('executing');
    this.waiting = both('waiting');
    this.#gauge(
      'apiserver_current_inflight_requests',
      '[STABLE] Maximal number of currently used inflight request limit of this apiserver per request kind in last second.',
      this.executing,
    );
    this.#gauge(
      'apiserver_current_inqueue_requests',
      '[ALPHA] Maximal number of queued requests in this apiserver per request kind in last second.',
      this.waiting,
    );
  }

  families(): readonly Family[] {
    return this.#registry.families();
  }

  #gauge(name: string, help: string, { mutating, readOnly }: Readonly<Record<RequestKind, PhaseCount>>): void {
    this.#registry.gauges(
      name,
      help,
      ['request_kind'],
      () => [
        [['mutating'], mutating.mostOfLastSecond],
        [['readOnly'], readOnly.mostOfLastSecond],
      ],
      { reset: 1_000 },
    );
  }
}
