import type { Family, HistogramValue, Labels, Sample } from '#shared/observability/metrics/family.ts';

/** The present time in whole nanoseconds, by a monotonic clock. */
export type NowNs = () => number;

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
  readonly #nowNs: NowNs;
  #numerator = 0;
  #denominator = 1;
  #sinceNs: number;

  constructor(labels: Labels, buckets: readonly number[], nowNs: NowNs) {
    this.labels = labels;
    this.counts = new Float64Array(buckets.length);
    this.#buckets = buckets;
    this.#nowNs = nowNs;
    this.#sinceNs = nowNs();
  }

  get value(): HistogramValue {
    return this;
  }

  add(change: number): void {
    this.set(this.#numerator + change);
  }

  set(numerator: number): void {
    if (numerator === this.#numerator) return;
    this.settle();
    this.#numerator = numerator;
  }

  setDenominator(denominator: number): void {
    this.settle();
    this.#denominator = Math.max(1, denominator);
  }

  /** Counts the time since the last change. */
  settle(): void {
    const nowNs = this.#nowNs();
    const ns = nowNs - this.#sinceNs;
    if (ns <= 0) return;
    this.#sinceNs = nowNs;
    const ratio = this.#numerator / this.#denominator;
    this.sum += ratio * ns;
    this.count += ns;
    const at = this.#buckets.findIndex((bound) => ratio <= bound);
    if (at >= 0) (this.counts[at] as number) += ns;
  }
}

/** A family of {@link RatioGauge}s. */
export class RatioHistogram implements Family {
  readonly type = 'histogram';
  readonly name: string;
  readonly help: string;
  readonly labelNames: Labels;
  readonly buckets: readonly number[];
  readonly #nowNs: NowNs;
  readonly #gauges = new Set<RatioGauge>();

  constructor(head: Pick<Family, 'name' | 'help' | 'labelNames'>, buckets: readonly number[], nowNs: NowNs) {
    this.name = head.name;
    this.help = head.help;
    this.labelNames = head.labelNames;
    this.buckets = buckets;
    this.#nowNs = nowNs;
  }

  /** A new gauge, which is shown until {@link forget}. */
  gauge(...labels: Labels): RatioGauge {
    const gauge = new RatioGauge(labels, this.buckets, this.#nowNs);
    this.#gauges.add(gauge);
    return gauge;
  }

  forget(gauge: RatioGauge): void {
    this.#gauges.delete(gauge);
  }

  samples(): readonly Sample[] {
    for (const gauge of this.#gauges) gauge.settle();
    return [...this.#gauges];
  }
}
