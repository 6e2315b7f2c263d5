import type { NativeBuckets } from './family.ts';

/** Buckets grow by 9 %: the schema for a factor of at most 1.1 (component-base/metrics/internal). */
const firstSchema = 3;
const lowestSchema = -4;
const maxBuckets = 160;
/** Values nearer to zero are in the bucket of zeros (client_golang's default). */
export const zeroThreshold = 2 ** -128;

let isEnabled = false;

/** Has all histograms that are made from now on keep native buckets, too: the gate NativeHistograms. */
export function keepNativeBuckets(keep: boolean): void {
  isEnabled = keep;
}

export function newNativeBuckets(): ObservedBuckets | undefined {
  return isEnabled ? new ObservedBuckets() : undefined;
}

/** Observations in exponential buckets, each twice as wide as soon as there are too many. */
export class ObservedBuckets implements NativeBuckets {
  schema = firstSchema;
  zeroCount = 0;
  positive = new Map<number, number>();
  negative = new Map<number, number>();

  observe(value: number): void {
    if (Number.isNaN(value)) return;
    const size = Math.abs(value);
    if (size <= zeroThreshold) {
      this.zeroCount++;
      return;
    }
    const index = indexOf(size, this.schema);
    addTo(value > 0 ? this.positive : this.negative, index, 1);
    this.#bound();
  }

  /** Adds the observations of another process. */
  add(other: NativeBuckets): void {
    while (this.schema > other.schema) this.#widen();
    this.zeroCount += other.zeroCount;
    for (const side of ['positive', 'negative'] as const)
      for (const [index, count] of other[side]) addTo(this[side], widened(index, other.schema - this.schema), count);
    this.#bound();
  }

  #bound(): void {
    while (this.positive.size + this.negative.size > maxBuckets && this.schema > lowestSchema) this.#widen();
  }

  #widen(): void {
    this.schema--;
    for (const side of ['positive', 'negative'] as const) {
      const wide = new Map<number, number>();
      for (const [index, count] of this[side]) addTo(wide, widened(index, 1), count);
      this[side] = wide;
    }
  }
}

/** The index of the bucket whose upper bound, `2 ** (index * 2 ** -schema)`, is the first not below the value. */
function indexOf(value: number, schema: number): number {
  if (value === Number.POSITIVE_INFINITY) return indexOf(Number.MAX_VALUE, schema) + 1;
  const perDoubling = 2 ** schema;
  const near = Math.ceil(Math.log2(value) * perDoubling);
  // Logarithms are rounded: the bound below may be the right one, or the next one above.
  if (value <= 2 ** ((near - 1) / perDoubling)) return near - 1;
  return value <= 2 ** (near / perDoubling) ? near : near + 1;
}

/** The index of the bucket that a bucket is part of, where buckets are 2 ** `times` as wide. */
function widened(index: number, times: number): number {
  return Math.ceil(index / 2 ** times);
}

function addTo(buckets: Map<number, number>, index: number, count: number): void {
  buckets.set(index, (buckets.get(index) ?? 0) + count);
}
