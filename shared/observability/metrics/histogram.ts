import { TupleMap } from '#shared/apimachinery/tuple-map.ts';
import { maxSeries } from './counter.ts';
import type { Family, HistogramValue, Labels, MergeRule, Sample } from './family.ts';
import { newNativeBuckets, type ObservedBuckets } from './native-buckets.ts';

/** The observations of one combination of labels: hot paths keep it, and observe without a look-up. */
export class Observations implements Sample, HistogramValue {
  readonly labels: Labels;
  readonly counts: Uint32Array;
  native: ObservedBuckets | undefined = newNativeBuckets();
  readonly #buckets: readonly number[];
  sum = 0;
  count = 0;

  constructor(labels: Labels, buckets: readonly number[]) {
    this.labels = labels;
    this.#buckets = buckets;
    this.counts = new Uint32Array(buckets.length);
  }

  get value(): HistogramValue {
    return this;
  }

  reset(): void {
    this.sum = 0;
    this.count = 0;
    this.counts.fill(0);
    this.native &&= newNativeBuckets();
  }

  observe(value: number): void {
    this.sum += value;
    this.count++;
    this.native?.observe(value);
    const buckets = this.#buckets;
    for (let at = 0; at < buckets.length; at++)
      if (value <= (buckets[at] as number)) {
        (this.counts[at] as number)++;
        return;
      }
  }
}

/** Observations in buckets, by label values in the order of the label names. */
export class Histogram implements Family {
  readonly type = 'histogram';
  readonly name: string;
  readonly help: string;
  readonly labelNames: Labels;
  readonly buckets: readonly number[];
  readonly merged: MergeRule = 'sum';
  readonly #byLabels: TupleMap<Observations>;
  readonly #all: Observations[] = [];
  #wasReset = false;

  constructor(name: string, help: string, labelNames: Labels, buckets: readonly number[]) {
    this.name = name;
    this.help = help;
    this.labelNames = labelNames;
    this.buckets = buckets;
    this.#byLabels = new TupleMap(labelNames.length);
    // Without labels, zero is shown too.
    if (labelNames.length === 0) this.of();
  }

  observe(value: number, ...labels: Labels): void {
    this.at(labels).observe(value);
  }

  of(...labels: Labels): Observations {
    return this.at(labels);
  }

  /** The observations of these labels, shown from now on. Beyond {@link maxSeries} they are ones that are not shown. */
  at(labels: Labels): Observations {
    let seen = this.#byLabels.get(labels);
    if (seen !== undefined) return seen;
    seen = new Observations(labels, this.buckets);
    if (this.#all.length >= maxSeries) return seen;
    this.#byLabels.set(labels, seen);
    this.#all.push(seen);
    return seen;
  }

  /** As in the reference, one without labels goes on as it is. */
  reset(): void {
    if (this.labelNames.length === 0) return;
    for (const seen of this.#all) seen.reset();
    this.#wasReset = true;
  }

  samples(): readonly Sample[] {
    return this.#wasReset ? this.#all.filter(({ count }) => count > 0) : this.#all;
  }
}

/** Bounds that grow by a factor from the first one; rounded step by step, as client_golang does. */
export function exponentialBuckets(first: number, factor: number, count: number): number[] {
  const bounds = [first];
  while (bounds.length < count) bounds.push((bounds.at(-1) ?? 0) * factor);
  return bounds;
}
