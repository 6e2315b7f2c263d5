import { TupleMap } from '#shared/apimachinery/tuple-map.ts';
import type { Family, Labels, MergeRule, Sample } from './family.ts';

/** The most label combinations that a family keeps, since clients choose the names in some of them. */
export const maxSeries = 10_000;

/** The count of one combination of labels: hot paths keep it, and add to it without a look-up. */
export class Count implements Sample {
  readonly labels: Labels;
  value = 0;

  constructor(labels: Labels) {
    this.labels = labels;
  }
}

/** Counts by label values, in the order of the label names. */
export class Counter implements Family {
  readonly type = 'counter';
  readonly name: string;
  readonly help: string;
  readonly labelNames: Labels;
  readonly merged: MergeRule;
  readonly #byLabels: TupleMap<Count>;
  readonly #counts: Count[] = [];
  #wasReset = false;

  constructor(name: string, help: string, labelNames: Labels, merged: MergeRule = 'sum') {
    this.name = name;
    this.help = help;
    this.labelNames = labelNames;
    this.merged = merged;
    this.#byLabels = new TupleMap(labelNames.length);
    // Without labels, zero is shown too.
    if (labelNames.length === 0) this.of();
  }

  add(...labels: Labels): void {
    this.at(labels).value++;
  }

  addMany(count: number, ...labels: Labels): void {
    this.at(labels).value += count;
  }

  of(...labels: Labels): Count {
    return this.at(labels);
  }

  /** The count of these labels, shown from now on. Beyond {@link maxSeries} it is one that is not shown. */
  at(labels: Labels): Count {
    let count = this.#byLabels.get(labels);
    if (count !== undefined) return count;
    count = new Count(labels);
    if (this.#counts.length >= maxSeries) return count;
    this.#byLabels.set(labels, count);
    this.#counts.push(count);
    return count;
  }

  /** Counts of labels are not shown then until they are more than zero. */
  reset(): void {
    for (const count of this.#counts) count.value = 0;
    this.#wasReset = this.labelNames.length > 0;
  }

  samples(): readonly Sample[] {
    return this.#wasReset ? this.#counts.filter(({ value }) => value > 0) : this.#counts;
  }
}
