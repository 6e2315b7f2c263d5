import type { Labels } from '#shared/observability/metrics/family.ts';

/** Prints labels as `a="b",c="d"`: sorted by name, as Prometheus' clients do. */
export class LabelPrinter {
  /** Places of the label names in their order. */
  readonly order: readonly number[];
  readonly #names: readonly string[];

  constructor(names: Labels) {
    this.order = names.map((_, at) => at).sort((a, b) => ((names[a] ?? '') < (names[b] ?? '') ? -1 : 1));
    this.#names = this.order.map((at) => `${names[at]}="`);
  }

  print(labels: Labels): string {
    let text = '';
    for (let at = 0; at < this.#names.length; at++)
      text += `${at === 0 ? '' : ','}${this.#names[at]}${escaped(labels[this.order[at] as number] ?? '')}"`;
    return text;
  }

  /** The order of samples in a family: by label values, in the order of the names. */
  compare(a: Labels, b: Labels): number {
    for (const at of this.order) {
      const [one = '', other = ''] = [a[at], b[at]];
      if (one !== other) return one < other ? -1 : 1;
    }
    return 0;
  }
}

function escaped(value: string): string {
  return /[\\"\n]/.test(value) ? value.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`)) : value;
}
