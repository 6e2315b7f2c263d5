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

/** The newest version of a key that is whole, and whether a damaged one came after it. */
interface Found {
  readonly row: LogRow;
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
  const reader = new LogReader(source, state?.unsealed);
  const found = newestVersions(source, reader, state?.unsealed === undefined ? state?.rows.count : undefined, leftOut);
  using target = new StoreFile(path);
  let revision = state?.revision ?? 1;
  for (const [key, { row, isNewest }] of found) {
    revision = Math.max(revision, row.revision);
    if (row.deleted) continue;
    if (!isNewest) leftOut.push(`key ${JSON.stringify(Buffer.from(key, 'latin1').toString())}: its newest version is damaged; ${takesOlder ? 'taken instead is' : '--take-older takes'} that of revision ${row.revision}, which is whole`);
    if (isNewest || takesOlder) target.addRow(row.id, row.revision, row.kv);
  }
  for (const { id, ttl } of leasesOf(source, leftOut)) target.addLease(id, ttl);
  return { keys: target.keys, revision: target.finish(revision, bump), leftOut };
}

/** By key, in the order of their first rows. */
function newestVersions(source: DatabaseSync, reader: LogReader, written: number | undefined, leftOut: string[]): Map<string, Found> {
  let rows = 0;
  const found = new Map<string, Found>();
  const lastId = reading(() => Number(source.prepare('SELECT max(id) AS id FROM log').get()?.['id'] ?? 0));
  const take = (row: LogRow): void => {
    const key = decodeKeyValue(row.kv).key.toString('latin1');
    // In a file whose pages are swapped rows come in any order.
    if (row.id > (found.get(key)?.row.id ?? 0)) found.set(key, { row, isNewest: true });
  };
  for (let from = 1; from <= lastId; ) {
    try {
      const page = reader.rows(from, pageRows, pageBytes);
      for (const row of page.rows) take(row);
      rows += page.rows.length;
      from = page.more ? Math.max(from, page.rows.at(-1)?.id as number) + 1 : lastId + 1;
    } catch (error) {
      if (!(error instanceof LogDamagedError)) throw error;
      // One by one, past what is damaged.
      const end = Math.min(from + pageRows, lastId + 1);
      for (; from < end; from++) rows += takeOne(reader, from, take, found, leftOut);
    }
  }
  if (written !== undefined && rows < written) leftOut.push(`${written - rows} rows are missing: which keys they were of is not known; such a key may have an older version now, or none`);
  return found;
}

const pageRows = 500;
const pageBytes = 4 * 1024 * 1024;

/** @returns 0 where there is no such row */
function takeOne(reader: LogReader, id: number, take: (row: LogRow) => void, found: Map<string, Found>, leftOut: string[]): 0 | 1 {
  try {
    const row = reader.rows(id, 1, pageBytes).rows[0];
    if (row?.id !== id) return 0;
    take(row);
    return 1;
  } catch (error) {
    if (!(error instanceof LogDamagedError)) throw error;
    const key = keyOf(reader, id);
    if (key === undefined) leftOut.push(`${error.message}: which key it was of is not known; that key may have an older version now, or none`);
    else {
      const name = key.toString('latin1');
      const older = found.get(name);
      if (older === undefined) leftOut.push(`key ${JSON.stringify(key.toString())}: ${error.message}, and no older version of it is whole`);
      else found.set(name, { row: older.row, isNewest: false });
    }
    return 1;
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
