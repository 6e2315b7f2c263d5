import type { LogRow } from '#servers/store/mvcc/log-reader.ts';

/** A row with its key. */
export interface KeyedRow {
  readonly key: string;
  readonly row: LogRow;
}

/** What is kept at most. A start of the servers writes some 300 rows of 300 KB in all. */
const maxRows = 1024;
const maxBytes = 1024 * 1024;

/**
 * The rows that were written last: watches that begin a little in the past, as those of a server that starts do, are
 * served from here, without reads from the disk.
 */
export class RecentRows {
  #rows: KeyedRow[] = [];
  #head = 0;
  #bytes = 0;
  /** All rows of revisions after this one are here. */
  #after: number;

  /** @param after the newest revision that was written before rows are added */
  constructor(after: number) {
    this.#after = after;
  }

  add(key: string, { id, revision, deleted, kv }: LogRow): void {
    this.#rows.push({ key, row: { id, revision, deleted, kv } });
    this.#bytes += kv.length;
    while (this.#rows.length - this.#head > maxRows || this.#bytes > maxBytes) this.#dropOldest();
    if (this.#head > maxRows) {
      this.#rows = this.#rows.slice(this.#head);
      this.#head = 0;
    }
  }

  /** All rows from a revision on, oldest first; undefined if some are no longer here. */
  from(revision: number): readonly KeyedRow[] | undefined {
    if (revision <= this.#after) return undefined;
    let low = this.#head;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#rows[middle] as KeyedRow).row.revision < revision) low = middle + 1;
      else high = middle;
    }
    return this.#rows.slice(low);
  }

  #dropOldest(): void {
    const { row } = this.#rows[this.#head] as KeyedRow;
    // Its memory is not held until the array is cut.
    this.#rows[this.#head] = dropped;
    this.#head++;
    this.#bytes -= row.kv.length;
    // A revision with several rows is whole or not here.
    this.#after = row.revision;
  }
}

const dropped: KeyedRow = { key: '', row: { id: 0, revision: 0, deleted: true, kv: Buffer.alloc(0) } };
