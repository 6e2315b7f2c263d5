import { goQuote } from '#shared/apimachinery/text/go-format.ts';

const maxReports = 100;
/** A path repeats the keys above a field: without a limit, a long key above many invalid fields would take hours. */
const maxPathChars = 1024 * 1024;

/** Reports of unknown and duplicate fields of one document: each once, in order, at most 100. */
export class FieldReports {
  readonly texts: string[] = [];
  readonly #seen = new Set<string>();
  #chars = 0;

  /** Whether further reports are kept; if not, `path` need not be computed. */
  get isOpen(): boolean {
    return this.texts.length < maxReports && this.#chars < maxPathChars;
  }

  add(kind: 'unknown' | 'duplicate', path: string): void {
    this.#chars += path.length;
    const what = `${kind} ${path}`;
    if (!this.isOpen || this.#seen.has(what)) return;
    this.#seen.add(what);
    this.texts.push(`${kind} field ${goQuote(path)}`);
  }
}
