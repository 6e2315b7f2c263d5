import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** A row of the log: one change of one key. */
export interface LogRow {
  readonly id: number;
  readonly revision: number;
  readonly deleted: boolean;
  /** Stored form (kv-encoding.ts); a deletion has key and mod revision. */
  readonly kv: Buffer;
}

type Values = readonly [number, number, number, Uint8Array];

/** Reads committed rows. Each call is one short synchronous read: page what is long. */
export class LogReader {
  readonly #kvById: StatementSync;
  readonly #rowsFrom: StatementSync;
  readonly #headsFrom: StatementSync;
  readonly #firstFrom: StatementSync;

  constructor(database: DatabaseSync) {
    const prepare = (sql: string): StatementSync => {
      const statement = database.prepare(sql);
      statement.setReturnArrays(true);
      return statement;
    };
    this.#kvById = prepare('SELECT kv FROM log WHERE id = ?');
    this.#rowsFrom = prepare('SELECT id, revision, deleted, kv FROM log WHERE id >= ? ORDER BY id LIMIT ?');
    this.#headsFrom = prepare('SELECT id, revision, deleted, substr(kv, 1, ?) FROM log WHERE id >= ? ORDER BY id LIMIT ?');
    this.#firstFrom = prepare('SELECT id, revision FROM log WHERE id >= ? ORDER BY id LIMIT 1');
  }

  /** The stored form of a row; undefined when it is compacted. */
  kv(id: number): Buffer | undefined {
    const row = this.#kvById.get(id) as unknown as readonly [Uint8Array] | undefined;
    return row === undefined ? undefined : asBuffer(row[0]);
  }

  /** `more` when the limit of rows or bytes ended the reading; at least one row is read. */
  rows(fromId: number, limit: number, maxBytes: number): { rows: LogRow[]; more: boolean } {
    const rows: LogRow[] = [];
    let bytes = 0;
    for (const values of this.#rowsFrom.iterate(fromId, limit) as unknown as Iterable<Values>) {
      rows.push(toRow(values));
      bytes += values[3].length;
      if (bytes >= maxBytes) return { rows, more: true };
    }
    return { rows, more: rows.length === limit };
  }

  /** Rows whose stored forms are cut at `bytes`. */
  heads(fromId: number, limit: number, bytes: number): LogRow[] {
    return (this.#headsFrom.all(bytes, fromId, limit) as unknown as Values[]).map(toRow);
  }

  /** The id of the first row at or after a revision. Ids and revisions grow together, so halving finds it. */
  firstIdAt(revision: number, lastId: number): number {
    let low = 0;
    let high = lastId + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const row = this.#firstFrom.get(middle) as unknown as readonly [number, number] | undefined;
      if (row === undefined || row[1] >= revision) high = middle;
      else low = row[0] + 1;
    }
    return low;
  }
}

function toRow(values: Values): LogRow {
  return { id: values[0], revision: values[1], deleted: values[2] !== 0, kv: asBuffer(values[3]) };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
