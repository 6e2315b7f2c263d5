import { TupleMap } from '#shared/apimachinery/tuple-map.ts';
import { maxSeries } from './counter.ts';
import type { Family, HistogramValue, Labels, MergeRule, NativeBuckets, Sample } from './family.ts';
import { ObservedBuckets } from './native-buckets.ts';

/** The quantiles that a summary shows (component-base/metrics/opts.go). */
export const summaryQuantiles: readonly number[] = [0.5, 0.9, 0.99];
/** A summary forgets its oldest observations so many times in its span, a part at a time (client_golang). */
const parts = 5;

/**
 * Observations of one combination of labels. Its quantiles are those of exponential buckets, so that they can be merged
 * with those of other processes; they are off by 5 % at most, and of the family's span of time alone.
 */
export class SummaryObservations implements Sample, HistogramValue {
  readonly labels: Labels;
  readonly counts: ArrayLike<number> = [];
  readonly #partMs: number;
  #recent: ObservedBuckets[] = [new ObservedBuckets()];
  #beganMs = performance.now();
  sum = 0;
  count = 0;

  constructor(labels: Labels, spanMs: number) {
    this.labels = labels;
    this.#partMs = spanMs / parts;
  }

  get value(): HistogramValue {
    return this;
  }

  get native(): NativeBuckets {
    this.#age();
    const all = new ObservedBuckets();
    for (const part of this.#recent) all.add(part);
    return all;
  }

  observe(value: number): void {
    this.sum += value;
    this.count++;
    this.#age();
    this.#recent.at(-1)?.observe(value);
  }

  reset(): void {
    this.sum = 0;
    this.count = 0;
    this.#recent = [new ObservedBuckets()];
  }

  #age(): void {
    const passed = Math.floor((performance.now() - this.#beganMs) / this.#partMs);
    if (passed === 0) return;
    this.#beganMs += passed * this.#partMs;
    for (let at = 0; at < Math.min(passed, parts); at++) this.#recent.push(new ObservedBuckets());
    this.#recent = this.#recent.slice(-parts);
  }
}

/** Observations by label values, shown by their quantiles in a span of time. */
export class Summary implements Family {
  readonly type = 'summary';
  readonly name: string;
  readonly help: string;
  readonly labelNames: Labels;
  readonly merged: MergeRule = 'sum';
  readonly #spanMs: number;
  readonly #byLabels: TupleMap<SummaryObservations>;
  readonly #all: SummaryObservations[] = [];

  constructor(name: string, help: string, labelNames: Labels, spanMs: number) {
    this.name = name;
    this.help = help;
    this.labelNames = labelNames;
    this.#spanMs = spanMs;
    this.#byLabels = new TupleMap(labelNames.length);
  }

  /** The observations of these labels, shown from now on. Beyond {@link maxSeries} they are ones that are not shown. */
  of(...labels: Labels): SummaryObservations {
    let seen = this.#byLabels.get(labels);
    if (seen !== undefined) return seen;
    seen = new SummaryObservations(labels, this.#spanMs);
    if (this.#all.length >= maxSeries) return seen;
    this.#byLabels.set(labels, seen);
    this.#all.push(seen);
    return seen;
  }

  reset(): void {
    for (const seen of this.#all) seen.reset();
  }

  samples(): readonly Sample[] {
    return this.#all.filter(({ count }) => count > 0);
  }
}

/** The value that a part of all observations is not above; NaN for none. Values below zero count as zero. */
export function quantileOf({ schema, zeroCount, positive, negative }: NativeBuckets, quantile: number): number {
  let below = zeroCount;
  for (const count of negative.values()) below += count;
  const buckets = [...positive].sort(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, count]) => sum + count, below);
  if (total === 0) return Number.NaN;
  const rank = Math.ceil(quantile * total);
  if (rank <= below) return 0;
  for (const [index, count] of buckets) {
    below += count;
    if (rank <= below) return 2 ** ((index - 0.5) / 2 ** schema);
  }
  return Number.NaN;
}
