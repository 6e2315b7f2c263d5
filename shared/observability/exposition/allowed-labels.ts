import { joinedKey } from '#shared/apimachinery/tuple-map.ts';
import type { Counter } from '#shared/observability/metrics/counter.ts';
import type { Family, HistogramValue, Sample } from '#shared/observability/metrics/family.ts';
import { ObservedBuckets } from '#shared/observability/metrics/native-buckets.ts';

/** Allowed values of labels, by the label's name. */
export type AllowedLabels = ReadonlyMap<string, ReadonlySet<string>>;

/** The family with `unexpected` for all values that are not allowed; samples that become alike are added. */
export function withAllowedLabels(family: Family, allowed: AllowedLabels, unexpected: Counter): Family {
  const limits = family.labelNames.map((name) => allowed.get(name));
  const count = new GrowthOf(unexpected);
  return {
    name: family.name,
    type: family.type,
    help: family.help,
    labelNames: family.labelNames,
    buckets: family.buckets,
    merged: family.merged,
    ...(family.refresh === undefined ? {} : { refresh: family.refresh }),
    samples() {
      const byLabels = new Map<string, Sample>();
      let replaced = 0;
      for (const { labels, value } of family.samples()) {
        const kept = labels.map((text, at) => (limits[at]?.has(text) === false ? 'unexpected' : text));
        replaced += observationsOf(value) * kept.filter((_, at) => limits[at]?.has(labels[at] ?? '') === false).length;
        const key = joinedKey(kept);
        const same = byLabels.get(key);
        byLabels.set(key, { labels: kept, value: same === undefined ? value : added(same.value, value) });
      }
      count.reached(replaced);
      return byLabels.values();
    },
  };
}

/** Adds to a counter what a number grew by since it was told last. */
class GrowthOf {
  readonly #counter: Counter;
  #last = 0;

  constructor(counter: Counter) {
    this.#counter = counter;
  }

  reached(total: number): void {
    if (total > this.#last) this.#counter.addMany(total - this.#last);
    this.#last = total;
  }
}

function observationsOf(value: Sample['value']): number {
  return typeof value === 'number' ? value : value.count;
}

/** The sum of two numbers, or of two histograms with the same buckets. */
export function added(one: Sample['value'], other: Sample['value']): Sample['value'] {
  if (typeof one === 'number' || typeof other === 'number') return Number(one) + Number(other);
  const length = Math.max(one.counts.length, other.counts.length);
  const counts = Array.from({ length }, (_, at) => (one.counts[at] ?? 0) + (other.counts[at] ?? 0));
  return { counts, sum: one.sum + other.sum, count: one.count + other.count, native: addedBuckets(one, other) };
}

function addedBuckets({ native: one }: HistogramValue, { native: other }: HistogramValue): ObservedBuckets | undefined {
  if (one === undefined && other === undefined) return undefined;
  const sum = new ObservedBuckets();
  if (one !== undefined) sum.add(one);
  if (other !== undefined) sum.add(other);
  return sum;
}
