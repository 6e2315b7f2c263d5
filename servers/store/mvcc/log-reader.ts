import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LogDamagedError, withDamageErrors } from './log-damage.ts';
import type { UnsealedRows } from './log-state.ts';
import { rowSum } from './row-sum.ts';

/** A row of the log: one change of one key. */
export interface LogRow {
  readonly id: number;
  readonly revision: number;
  readonly deleted: boolean;
  /** Stored form (kv-encoding.ts); that of a deletion has only key and mod revision. */
  readonly kv: Buffer;
}

/** A row whose stored form is truncated, and whose checksums are not compared yet. */
export interface RowHead {
  readonly id: number;
  readonly revision: number;
  readonly deleted: boolean;
  readonly headSum: number | null;
  readonly sum: number | null;
  /** The first bytes of the stored form. */
  readonly start: Buffer;
}

type Values = readonly [id: number, revision: number, deleted: number, sum: number | null, kv: Uint8Array];
type HeadValues = readonly [
  id: number,
  revision: number,
  deleted: number,
  headSum: number | null,
  sum: number | null,
  start: Uint8Array,
];

/**
 * Reads committed rows and compares each with its checksum. Each call is one synchronous read, so long reads have to be
 * split into pages. Every method throws LogDamagedError when the file is damaged.
 */
export class LogReader {
  readonly #rowById: StatementSync;
  readonly #rowsFrom: StatementSync;
  readonly #headsFrom: StatementSync;
  readonly #firstFrom: StatementSync;
  readonly #unsealed: UnsealedRows | undefined;

  /** @param unsealed rows that may lack checksums */
  constructor(database: DatabaseSync, unsealed: UnsealedRows | undefined) {
    const prepare = (sql: string): StatementSync => {
      const statement = database.prepare(sql);
      statement.setReturnArrays(true);
      return statement;
    };
    this.#unsealed = unsealed;
    this.#rowById = prepare('SELECT id, revision, deleted, sum, kv FROM log WHERE id = ?');
    this.#rowsFrom = prepare('SELECT id, revision, deleted, sum, kv FROM log WHERE id >= ? ORDER BY id LIMIT ?');
    this.#headsFrom = prepare(
      'SELECT id, revision, deleted, head_sum, sum, substr(kv, 1, ?) FROM log WHERE id >= ? ORDER BY id LIMIT ?',
    );
    this.#firstFrom = prepare('SELECT id, revision, deleted, sum, kv FROM log WHERE id >= ? ORDER BY id LIMIT 1');
  }

  /** The stored form of a row; undefined if the row was compacted. */
  kv(id: number): Buffer | undefined {
    const values = withDamageErrors(() => this.#rowById.get(id) as unknown as Values | undefined, id);
    return values === undefined ? undefined : this.#checked(values).kv;
  }

  /**
   * Reads rows from an id on. `more` is true if the limit of rows or bytes ended the read; at least one row is read.
   */
  rows(fromId: number, limit: number, maxBytes: number): { rows: LogRow[]; more: boolean } {
    return withDamageErrors(() => {
      const rows: LogRow[] = [];
      let bytes = 0;
      for (const values of this.#rowsFrom.iterate(fromId, limit) as unknown as Iterable<Values>) {
        rows.push(this.#checked(values));
        bytes += values[4].length;
        if (bytes >= maxBytes) return { rows, more: true };
      }
      return { rows, more: rows.length === limit };
    });
  }

  /**
   * Reads rows with their stored forms truncated to `bytes`. The caller checks them with {@link LogReader.checkHead}.
   */
  heads(fromId: number, limit: number, bytes: number): RowHead[] {
    return withDamageErrors(() => (this.#headsFrom.all(bytes, fromId, limit) as unknown as HeadValues[]).map(toHead));
  }

  /** @param head the stored form without its value */
  checkHead(row: RowHead, head: Buffer): void {
    if (this.#mayLackSum(row.id, row.headSum)) return;
    if (row.headSum !== rowSum(row.id, row.revision, row.deleted, head)) throw damagedRow(row.id, row.revision);
  }

  /** The id of the first row at or after a revision. Revisions ascend with ids, so a binary search finds it. */
  firstIdAt(revision: number, lastId: number): number {
    let low = 0;
    let high = lastId + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const values = withDamageErrors(() => this.#firstFrom.get(middle) as unknown as Values | undefined, middle);
      const row = values === undefined ? undefined : this.#checked(values);
      if (row === undefined || row.revision >= revision) high = middle;
      else low = row.id + 1;
    }
    return low;
  }

  #checked(values: Values): LogRow {
    const [id, revision, deleted, sum, bytes] = values;
    if (!(bytes instanceof Uint8Array)) throw damagedRow(id, revision);
    const row = { id, revision, deleted: deleted !== 0, kv: asBuffer(bytes) };
    if (!this.#mayLackSum(id, sum) && sum !== rowSum(id, revision, row.deleted, row.kv)) throw damagedRow(id, revision);
    return row;
  }

  #mayLackSum(id: number, sum: number | null): boolean {
    return sum === null && this.#unsealed !== undefined && id >= this.#unsealed.from && id <= this.#unsealed.to;
  }
}

function damagedRow(id: number, revision: unknown): LogDamagedError {
  return new LogDamagedError(`row ${id} of the log (revision ${String(revision)}) does not match its checksum`, { id });
}

function toHead(values: HeadValues): RowHead {
  const [id, revision, deleted, headSum, sum, start] = values;
  if (!(start instanceof Uint8Array)) throw damagedRow(id, revision);
  return { id, revision, deleted: deleted !== 0, headSum, sum, start: asBuffer(start) };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
