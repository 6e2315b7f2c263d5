import { Counter } from './counter.ts';
import type { Family, Labels, MergeRule } from './family.ts';
import { gaugeFamily, type GaugeReset, type GaugeValues } from './gauge.ts';
import { Histogram } from './histogram.ts';

/** Families that a part of a process makes. */
export class MetricsRegistry {
  readonly #families: Family[] = [];

  counter(name: string, help: string, labelNames: Labels, merged?: MergeRule): Counter {
    return this.add(new Counter(name, help, labelNames, merged));
  }

  histogram(name: string, help: string, labelNames: Labels, buckets: readonly number[]): Histogram {
    return this.add(new Histogram(name, help, labelNames, buckets));
  }

  /** `read` is called when the metrics are shown; what is undefined is left out. */
  gauge(name: string, help: string, read: () => number | undefined, merged?: MergeRule): void {
    this.add(gaugeFamily({ name, help, labelNames: [], merged }, () => valueOf(read())));
  }

  /** A gauge with labels. `reset` is what happens to it when counts begin at zero. */
  gauges(
    name: string,
    help: string,
    labelNames: Labels,
    read: () => GaugeValues,
    { merged, reset }: { readonly merged?: MergeRule; readonly reset?: GaugeReset } = {},
  ): void {
    this.add(gaugeFamily({ name, help, labelNames, merged }, read, reset));
  }

  /** A counter whose value is kept elsewhere. */
  counterFrom(name: string, help: string, read: () => number, merged?: MergeRule): void {
    this.add({ ...gaugeFamily({ name, help, labelNames: [], merged }, () => valueOf(read())), type: 'counter' });
  }

  add<T extends Family>(family: T): T {
    this.#families.push(family);
    return family;
  }

  families(): readonly Family[] {
    return this.#families;
  }
}

function valueOf(value: number | undefined): GaugeValues {
  return value === undefined ? [] : [[[], value]];
}
