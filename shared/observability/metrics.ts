import { TupleMap } from '#shared/apimachinery/tuple-map.ts';

type Labels = readonly string[];

/** A family of metrics, as a registry prints it. */
export interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /**
   * How lines of the same labels of several processes of a server become one. Default: counts and observations are
   * added, and a gauge is of its own process alone.
   */
  readonly merged?: 'sum' | 'max';
  lines(): Iterable<string>;
  /** Called before the lines are printed, where they come from elsewhere. */
  refresh?: () => Promise<void>;
}

/** Metrics of one process, printed in Prometheus' text form. */
export class MetricsRegistry {
  readonly #families: Family[] = [];

  counter(name: string, help: string, labelNames: Labels): Counter {
    return this.#add(new Counter(name, help, labelNames));
  }

  histogram(name: string, help: string, labelNames: Labels, buckets: readonly number[]): Histogram {
    return this.#add(new Histogram(name, help, labelNames, buckets));
  }

  /** `read` is called when the metrics are printed; what is undefined is left out. */
  gauge(name: string, help: string, read: () => number | undefined): void {
    const lines = (): string[] => {
      const value = read();
      return value === undefined ? [] : [`${name} ${value}`];
    };
    this.#add({ name, type: 'gauge', help, lines });
  }

  /** A gauge with labels. */
  gauges(name: string, help: string, labelNames: Labels, read: () => Iterable<readonly [Labels, number]>): void {
    this.#add({
      name,
      type: 'gauge',
      help,
      lines: () => [...read()].map(([labels, value]) => `${name}${labelText(labelNames, labels)} ${value}`),
    });
  }

  /** A counter whose value is kept elsewhere. */
  counterFrom(name: string, help: string, read: () => number): void {
    this.#add({ name, type: 'counter', help, lines: () => [`${name} ${read()}`] });
  }

  add(family: Family): void {
    this.#add(family);
  }

  families(): readonly Family[] {
    return this.#families;
  }

  /** Families in alphabetical order. */
  print(): string {
    let text = '';
    for (const family of this.#families.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      text += `# HELP ${family.name} ${family.help}\n# TYPE ${family.name} ${family.type}\n`;
      for (const line of family.lines()) text += `${line}\n`;
    }
    return text;
  }

  #add<T extends Family>(family: T): T {
    this.#families.push(family);
    return family;
  }
}

interface Count {
  readonly labels: Labels;
  count: number;
}

/** Counts by label values, in the order of the label names. */
export class Counter implements Family {
  readonly type = 'counter';
  readonly name: string;
  readonly help: string;
  readonly #labelNames: Labels;
  readonly #byLabels: TupleMap<Count>;
  readonly #counts: Count[] = [];

  constructor(name: string, help: string, labelNames: Labels) {
    this.name = name;
    this.help = help;
    this.#labelNames = labelNames;
    this.#byLabels = new TupleMap(labelNames.length);
  }

  add(...labels: Labels): void {
    const present = this.#byLabels.get(labels);
    if (present) {
      present.count++;
      return;
    }
    const first: Count = { count: 1, labels };
    this.#byLabels.set(labels, first);
    this.#counts.push(first);
  }

  /** Without labels, zero is printed too. */
  *lines(): Iterable<string> {
    if (this.#labelNames.length === 0 && this.#counts.length === 0) yield `${this.name} 0`;
    for (const { count, labels } of this.#counts) yield `${this.name}${labelText(this.#labelNames, labels)} ${count}`;
  }
}

interface Observations {
  readonly labels: Labels;
  readonly counts: Uint32Array;
  sum: number;
  count: number;
}

/** Observations in cumulative buckets. */
export class Histogram implements Family {
  readonly type = 'histogram';
  readonly name: string;
  readonly help: string;
  readonly #labelNames: Labels;
  readonly #buckets: readonly number[];
  readonly #byLabels: TupleMap<Observations>;
  readonly #all: Observations[] = [];

  constructor(name: string, help: string, labelNames: Labels, buckets: readonly number[]) {
    this.name = name;
    this.help = help;
    this.#labelNames = labelNames;
    this.#buckets = buckets;
    this.#byLabels = new TupleMap(labelNames.length);
    // Without labels, zero is printed too.
    if (labelNames.length === 0) this.#begin([]);
  }

  observe(value: number, ...labels: Labels): void {
    const seen = this.#byLabels.get(labels) ?? this.#begin(labels);
    seen.sum += value;
    seen.count++;
    const at = this.#buckets.findIndex((limit) => value <= limit);
    if (at >= 0) seen.counts[at] = (seen.counts[at] ?? 0) + 1;
  }

  #begin(labels: Labels): Observations {
    const seen: Observations = { labels, counts: new Uint32Array(this.#buckets.length), sum: 0, count: 0 };
    this.#byLabels.set(labels, seen);
    this.#all.push(seen);
    return seen;
  }

  *lines(): Iterable<string> {
    for (const { labels, counts, sum, count } of this.#all) {
      let below = 0;
      for (const [at, limit] of this.#buckets.entries()) {
        below += counts[at] ?? 0;
        yield `${this.name}_bucket${labelText([...this.#labelNames, 'le'], [...labels, String(limit)])} ${below}`;
      }
      yield `${this.name}_bucket${labelText([...this.#labelNames, 'le'], [...labels, '+Inf'])} ${count}`;
      yield `${this.name}_sum${labelText(this.#labelNames, labels)} ${sum}`;
      yield `${this.name}_count${labelText(this.#labelNames, labels)} ${count}`;
    }
  }
}

/** `{a="b"}`; empty without names. */
export function labelText(names: Labels, values: Labels): string {
  if (names.length === 0) return '';
  return `{${names.map((name, at) => `${name}="${(values[at] ?? '').replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`))}"`).join(',')}}`;
}
