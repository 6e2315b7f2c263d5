import { goQuote } from '../../apimachinery/go-format.ts';

const maxReports = 100;
/** Paths repeat the keys above a field: a long key over many bad fields would take hours without an end. */
const maxPathChars = 1024 * 1024;

/** Complaints about fields of one document: each once, in order, at most 100. */
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
