import type { QueueSetClock } from '#shared/flowcontrol/queueset/queue-set-options.ts';
import type { Family, HistogramValue, Labels, Sample } from '#shared/observability/metrics/family.ts';

/** What {@link RatioGauge}s need of a clock: changes belong to the moment at which it was read last. */
export type RatioClock = Pick<QueueSetClock, 'nowNs' | 'latestNs'>;

/**
 * A ratio, observed at the end of every nanosecond: how long it had which value (component-base
 * prometheusextension/timing_histogram.go). The sum is in nanoseconds, too.
 */
export class RatioGauge implements Sample, HistogramValue {
  readonly labels: Labels;
  readonly counts: Float64Array;
  sum = 0;
  count = 0;
  readonly #buckets: readonly number[];
  readonly #clock: RatioClock;
  #numerator = 0;
  #denominator = 1;
  #sinceNs: number;

  constructor(labels: Labels, buckets: readonly number[], clock: RatioClock) {
    this.labels = labels;
    this.counts = new Float64Array(buckets.length);
    this.#buckets = buckets;
    this.#clock = clock;
    this.#sinceNs = clock.nowNs();
  }

  get value(): HistogramValue {
    return this;
  }

  add(change: number): void {
    this.set(this.#numerator + change);
  }

  set(numerator: number): void {
    if (numerator === this.#numerator) return;
    this.settle(this.#clock.latestNs);
    this.#numerator = numerator;
  }

  setDenominator(denominator: number): void {
    this.settle(this.#clock.latestNs);
    this.#denominator = Math.max(1, denominator);
  }

  /** Counts the time since the last change. */
  settle(nowNs: number): void {
    const ns = nowNs - this.#sinceNs;
    if (ns <= 0) return;
    this.#sinceNs = nowNs;
    const ratio = this.#numerator / this.#denominator;
    this.sum += ratio * ns;
    this.count += ns;
    for (let at = 0; at < this.#buckets.length; at++)
      if (ratio <= (this.#buckets[at] as number)) {
        (this.counts[at] as number) += ns;
        return;
      }
  }
}

/** A family of {@link RatioGauge}s. */
export class RatioHistogram implements Family {
  readonly type = 'histogram';
  readonly name: string;
  readonly help: string;
  readonly labelNames: Labels;
  readonly buckets: readonly number[];
  readonly #clock: RatioClock;
  readonly #gauges = new Set<RatioGauge>();

  constructor(head: Pick<Family, 'name' | 'help' | 'labelNames'>, buckets: readonly number[], clock: RatioClock) {
    this.name = head.name;
    this.help = head.help;
    this.labelNames = head.labelNames;
    this.buckets = buckets;
    this.#clock = clock;
  }

  /** A new gauge, which is shown until {@link forget}. */
  gauge(...labels: Labels): RatioGauge {
    const gauge = new RatioGauge(labels, this.buckets, this.#clock);
    this.#gauges.add(gauge);
    return gauge;
  }

  forget(gauge: RatioGauge): void {
    this.#gauges.delete(gauge);
  }

  samples(): readonly Sample[] {
    const nowNs = this.#clock.nowNs();
    for (const gauge of this.#gauges) gauge.settle(nowNs);
    return [...this.#gauges];
  }
}
