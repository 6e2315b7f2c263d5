/** Follows the counters of one exposition after another, and tells those that fell. */
export class CounterWatch {
  #last: ReadonlyMap<string, number> = new Map();
  #reads = 0;
  readonly fallen: string[] = [];

  get reads(): number {
    return this.#reads;
  }

  get series(): number {
    return this.#last.size;
  }

  /** @param text in Prometheus' text form */
  read(text: string): void {
    const now = counters(text);
    for (const [series, value] of this.#last) {
      const current = now.get(series);
      if (current === undefined) this.fallen.push(`${series}: gone after ${value}`);
      else if (current < value) this.fallen.push(`${series}: ${current} after ${value}`);
    }
    this.#last = now;
    this.#reads++;
  }
}

/** Values of counters, and of the buckets, counts and sums of histograms, by name and labels. */
function counters(text: string): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  let isCounted = false;
  for (const line of text.split('\n')) {
    const [, type] = /^# TYPE \S+ (\w+)$/.exec(line) ?? [];
    if (type !== undefined) isCounted = type === 'counter' || type === 'histogram';
    if (!isCounted || line === '' || line.startsWith('#')) continue;
    const space = line.lastIndexOf(' ');
    values.set(line.slice(0, space), Number(line.slice(space + 1)));
  }
  return values;
}
