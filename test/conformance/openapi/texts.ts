import type { Descriptions } from './strip.ts';

interface Counts {
  same: number;
  /** The reference has a text where this server has none. */
  missing: number;
  /** The other way round. */
  more: number;
  other: number;
}

/** Compares the texts of documents, each text once, and counts by group and version. */
export class TextCounts {
  readonly #rows = new Map<string, Counts>();
  readonly #seen = new Set<string>();
  readonly samples: string[] = [];

  add(document: string, ours: Descriptions, theirs: Descriptions): void {
    for (const at of new Set([...ours.keys(), ...theirs.keys()])) {
      const [row, key] = placeOf(document, at);
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      this.#count(row, `${document}#${at}`, ours.get(at) ?? '', theirs.get(at) ?? '');
    }
  }

  #count(row: string, at: string, mine: string, other: string): void {
    const kind = mine === other ? 'same' : mine === '' ? 'missing' : other === '' ? 'more' : 'other';
    const counts = this.#rows.get(row) ?? { same: 0, missing: 0, more: 0, other: 0 };
    counts[kind] += 1;
    this.#rows.set(row, counts);
    if (kind !== 'same') this.samples.push(`${kind} ${at}\n    ${quote(mine)}\n  instead of\n    ${quote(other)}`);
  }

  /** Lines of a Markdown table. */
  table(): string[] {
    const total: Counts = { same: 0, missing: 0, more: 0, other: 0 };
    for (const counts of this.#rows.values())
      for (const kind of ['same', 'missing', 'more', 'other'] as const) total[kind] += counts[kind];
    const line = ([name, { same, missing, more, other }]: [string, Counts]): string =>
      `| ${name} | ${same + missing + more + other} | ${same} | ${missing} | ${more} | ${other} |`;
    return [
      '| texts of | all | same | missing | more | other |',
      '|---|---|---|---|---|---|',
      ...[...this.#rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(line),
      line(['all', total]),
    ];
  }
}

/** The row of a text, and what tells it from all others: models are in many documents, in v2 and v3 alike. */
function placeOf(document: string, at: string): [row: string, key: string] {
  const model = /^\/(?:components\/schemas|definitions)\/([^/]+)(.*)$/.exec(at);
  if (model !== null) {
    const [, name = '', rest = ''] = model;
    const dialect = document === '/openapi/v2' ? 'v2' : 'v3';
    return [`types, ${dialect}: ${name.replace(/\.[^.]*$/, '')}`, `${dialect} ${name} ${rest}`];
  }
  const dialect = document === '/openapi/v2' ? 'v2' : 'v3';
  const what = at.includes('/parameters/') ? 'parameters' : at.includes('/responses/') ? 'responses' : 'operations';
  return [`${what}, ${dialect}`, `${document} ${at}`];
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 300));
}
