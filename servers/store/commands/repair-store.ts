import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { UnfitFileError } from '../../../shared/files/unfit-file.ts';
import { decodeKeyValue } from '../mvcc/kv-encoding.ts';
import { isDamageOfFile, LogDamagedError, reading } from '../mvcc/log-damage.ts';
import { logPaths } from '../mvcc/log-file.ts';
import { LogReader } from '../mvcc/log-reader.ts';
import type { LogRow } from '../mvcc/log-reader.ts';
import { readState } from '../mvcc/log-state.ts';
import type { LogState } from '../mvcc/log-state.ts';
import { makeDataDir } from './new-data-dir.ts';
import { StoreFile } from './store-file.ts';
import { keyOf } from './verify-store.ts';

/** What `store repair` did. */
export interface RepairReport {
  /** Live keys in the new store. */
  readonly keys: number;
  /** At which the new store begins. */
  readonly revision: number;
  /** One sentence for each row or key that was left out. */
  readonly leftOut: readonly string[];
}

/** Where the newest version of a key is that is whole (its bytes are read again: a store may be larger than memory), and whether a damaged one came after it. */
interface Found {
  readonly id: number;
  readonly revision: number;
  readonly deleted: boolean;
  readonly isNewest: boolean;
}

/**
 * Makes the data directory of a new store from what is whole in another, which is read only. Of each key the newest version is taken,
 * without its history. A key whose newest version is damaged is left out, and the report names its older one that is whole; with
 * `takesOlder` that one is taken instead.
 * @throws UnfitFileError where nothing can be read, or there is something in the new directory already
 */
export async function repairStore(dataDir: string, newDataDir: string, takesOlder: boolean, bump: number): Promise<RepairReport> {
  const { database: path } = logPaths(dataDir);
  if (!existsSync(path)) throw new UnfitFileError(path, 'does not exist', 'name the directory of a store with --data-dir');
  const source = new DatabaseSync(path, { readOnly: true, timeout: 10_000 });
  try {
    source.exec('BEGIN');
    return await makeDataDir(newDataDir, (folder) => repairInto(source, logPaths(folder).database, takesOlder, bump));
  } catch (error) {
    throw isDamageOfFile(error) || error instanceof LogDamagedError ? new UnfitFileError(path, `cannot be read at all (${(error as Error).message})`, 'restore a snapshot or a copy', error) : error;
  } finally {
    source.close();
  }
}

function repairInto(source: DatabaseSync, path: string, takesOlder: boolean, bump: number): RepairReport {
  const leftOut: string[] = [];
  const state = stateOf(source, leftOut);
  using target = new StoreFile(path);
  const salvage = new Salvage(new LogReader(source, state?.unsealed), target, leftOut);
  salvage.readAll(lastIdOf(source), state?.unsealed === undefined ? state?.rows.count : undefined);
  let revision = state?.revision ?? 1;
  for (const [key, { id, revision: written, deleted, isNewest }] of salvage.found) {
    revision = Math.max(revision, written);
    if (deleted || isNewest) continue;
    leftOut.push(`key ${JSON.stringify(Buffer.from(key, 'latin1').toString())}: its newest version is damaged; ${takesOlder ? 'taken instead is' : '--take-older takes'} that of revision ${written}, which is whole`);
    if (!takesOlder) target.removeRow(id);
  }
  for (const { id, ttl } of leasesOf(source, leftOut)) target.addLease(id, ttl);
  return { keys: target.keys, revision: target.finish(revision, bump), leftOut };
}

/** Undefined where the page with the last rows is damaged. */
function lastIdOf(source: DatabaseSync): number | undefined {
  try {
    return reading(() => Number(source.prepare('SELECT max(id) AS id FROM log').get()?.['id'] ?? 0));
  } catch (error) {
    if (!(error instanceof LogDamagedError)) throw error;
    return undefined;
  }
}

const pageRows = 500;
const pageBytes = 4 * 1024 * 1024;
/** Where the last row is not known, the end is taken to be behind so many ids of which none can be read: some twenty pages. */
const idsWithoutRows = 2000;

/** Reads the log past what is damaged. The newest whole version of each key is in the target, for a store may be larger than memory. */
class Salvage {
  /** By key, in the order of their first rows. */
  readonly found = new Map<string, Found>();
  readonly #reader: LogReader;
  readonly #target: StoreFile;
  readonly #leftOut: string[];
  #rows = 0;
  /** Ids without a row that could be read, in one piece, up to the one before the next. */
  #lostFrom: number | undefined;

  constructor(reader: LogReader, target: StoreFile, leftOut: string[]) {
    this.#reader = reader;
    this.#target = target;
    this.#leftOut = leftOut;
  }

  /** @param written how many rows there should be, where that is known */
  readAll(lastId: number | undefined, written: number | undefined): void {
    let from = 1;
    while (lastId === undefined ? from - (this.#lostFrom ?? from) < idsWithoutRows : from <= lastId) {
      try {
        const page = this.#reader.rows(from, pageRows, pageBytes);
        this.#closeGap(from);
        for (const row of page.rows) this.#take(row);
        this.#rows += page.rows.length;
        if (!page.more) break;
        from = Math.max(from, page.rows.at(-1)?.id as number) + 1;
      } catch (error) {
        if (!(error instanceof LogDamagedError)) throw error;
        // One by one, past what is damaged.
        const end = Math.min(from + pageRows, (lastId ?? Infinity) + 1);
        for (; from < end; from++) this.#takeOne(from);
      }
    }
    this.#closeGap(from);
    if (written !== undefined && this.#rows < written) this.#leftOut.push(`${written - this.#rows} rows are missing: which keys they were of is not known; such a key may have an older version now, or none`);
  }

  #take(row: LogRow): void {
    const key = decodeKeyValue(row.kv).key.toString('latin1');
    const before = this.found.get(key);
    // In a file whose pages are swapped rows come in any order.
    if (before !== undefined && row.id <= before.id) return;
    if (before?.deleted === false) this.#target.removeRow(before.id);
    if (!row.deleted) this.#target.addRow(row.id, row.revision, row.kv);
    this.found.set(key, { id: row.id, revision: row.revision, deleted: row.deleted, isNewest: true });
  }

  #takeOne(id: number): void {
    try {
      const row = this.#reader.rows(id, 1, pageBytes).rows[0];
      if (row?.id !== id) return;
      this.#closeGap(id);
      this.#take(row);
      this.#rows++;
    } catch (error) {
      if (!(error instanceof LogDamagedError)) throw error;
      const key = keyOf(this.#reader, id);
      if (key === undefined) {
        this.#lostFrom ??= id;
        return;
      }
      this.#closeGap(id);
      this.#rows++;
      const older = this.found.get(key.toString('latin1'));
      if (older === undefined) this.#leftOut.push(`key ${JSON.stringify(key.toString())}: ${error.message}, and no older version of it is whole`);
      else this.found.set(key.toString('latin1'), { ...older, isNewest: false });
    }
  }

  #closeGap(next: number): void {
    if (this.#lostFrom === undefined) return;
    this.#leftOut.push(`rows ${this.#lostFrom} to ${next - 1} of the log cannot be read: which keys they were of is not known; such a key may have an older version now, or none`);
    this.#lostFrom = undefined;
  }
}

function stateOf(source: DatabaseSync, leftOut: string[]): LogState | undefined {
  try {
    return readState(source);
  } catch (error) {
    if (!(error instanceof LogDamagedError)) throw error;
    leftOut.push(error.message);
    return undefined;
  }
}

function leasesOf(source: DatabaseSync, leftOut: string[]): { id: string; ttl: number }[] {
  try {
    return reading(() => source.prepare('SELECT id, ttl FROM lease').all()).map((row) => ({ id: String(row['id']), ttl: Number(row['ttl']) }));
  } catch (error) {
    if (!(error instanceof LogDamagedError)) throw error;
    leftOut.push(`leases: ${error.message}`);
    return [];
  }
}
