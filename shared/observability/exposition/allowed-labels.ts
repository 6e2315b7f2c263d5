import { joinedKey } from '#shared/apimachinery/tuple-map.ts';
import type { Counter } from '#shared/observability/metrics/counter.ts';
import type { Family, HistogramValue, NativeBuckets, Sample } from '#shared/observability/metrics/family.ts';
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

/** What takes a value away from a sum, by {@link added}. */
export function negated(value: Sample['value']): Sample['value'] {
  if (typeof value === 'number') return -value;
  const { counts, sum, count, native } = value;
  return {
    counts: Array.from(counts, (one) => -one),
    sum: -sum,
    count: -count,
    ...(native !== undefined && { native: negatedBuckets(native) }),
  };
}

function negatedBuckets({ schema, zeroCount, positive, negative }: NativeBuckets): NativeBuckets {
  const all = (side: NativeBuckets['positive']): Map<number, number> =>
    new Map([...side].map(([index, count]) => [index, -count]));
  return { schema, zeroCount: -zeroCount, positive: all(positive), negative: all(negative) };
}

function addedBuckets({ native: one }: HistogramValue, { native: other }: HistogramValue): ObservedBuckets | undefined {
  if (one === undefined && other === undefined) return undefined;
  const sum = new ObservedBuckets();
  if (one !== undefined) sum.add(one);
  if (other !== undefined) sum.add(other);
  return sum;
}
