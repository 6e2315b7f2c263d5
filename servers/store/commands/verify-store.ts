import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { StatementSync } from 'node:sqlite';
import { readTip } from '#servers/store/mvcc/durable-tip.ts';
import { decodeHead, headLength } from '#servers/store/mvcc/kv-encoding.ts';
import { isDamageOfFile, LogDamagedError, withDamageErrors } from '#servers/store/mvcc/log-damage.ts';
import { logPaths } from '#servers/store/mvcc/log-file.ts';
import type { RowHead } from '#servers/store/mvcc/log-reader.ts';
import { LogReader } from '#servers/store/mvcc/log-reader.ts';
import { addToTally, emptyTally, readState, sameTally } from '#servers/store/mvcc/log-state.ts';
import type { LogState } from '#servers/store/mvcc/log-state.ts';
import { hasTable, isFormat1, tallyOfLeases } from '#servers/store/mvcc/upgrade-format.ts';

/** The result of `store verify`. */
export interface VerifyReport {
  readonly path: string;
  readonly revision: number;
  /** Number of rows that were read and are intact. */
  readonly rows: number;
  /** One sentence for each damage; empty when the file is intact. */
  readonly findings: readonly string[];
}

const pageRows = 500;
const pageBytes = 4 * 1024 * 1024;
const headBytes = 512;
/** After this many consecutive pages without an intact row, the rest is not read: enough damage is reported by then. */
const fruitlessPages = 200;
/** Largest number of findings of SQLite's integrity check. */
const structureLines = 20;

/**
 * Reads the whole store of a data directory and compares it with its checksums. The store may be running: it is read in
 * one transaction, and nothing is written.
 * @throws Error when there is no store, or one of a format without checksums
 */
export function verifyStore(dataDir: string): VerifyReport {
  const paths = logPaths(dataDir);
  if (!existsSync(paths.database)) throw new Error(`${paths.database} does not exist: --data-dir names no store`);
  const findings: string[] = [];
  let [rows, revision] = [0, 0];
  const report = (): VerifyReport => ({ path: paths.database, revision, rows, findings });
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(paths.database, { readOnly: true, timeout: 10_000 });
    database.exec('BEGIN');
    if (isFormat1(database))
      throw new Error(`${paths.database} has no checksums yet: it gets them when the store is started`);
    if (!hasTable(database, 'state') || !hasTable(database, 'log'))
      throw new LogDamagedError('it holds no tables of a store');
    findings.push(...structure(database));
    const state = tried(findings, () => readState(database as DatabaseSync));
    revision = state?.revision ?? 0;
    rows = verifyRows(database, state, findings);
    if (state !== undefined) compareWithState(database, state, readTip(paths.tip), findings);
  } catch (error) {
    if (!(error instanceof LogDamagedError) && !isDamageOfFile(error)) throw error;
    findings.push((error as Error).message);
  } finally {
    database?.close();
  }
  return report();
}

function structure(database: DatabaseSync): string[] {
  const lines = withDamageErrors(() => database.prepare(`PRAGMA integrity_check(${structureLines})`).all()).map((row) =>
    String(row['integrity_check']),
  );
  return lines.length === 1 && lines[0] === 'ok' ? [] : lines.map((line) => `structure: ${line.trim()}`);
}

/** Reads every row. @param findings gets a sentence for each damaged row @returns the number of intact rows */
export function verifyRows(database: DatabaseSync, state: LogState | undefined, findings: string[]): number {
  const reader = new LogReader(database, state?.unsealed);
  const lastId =
    tried(findings, () =>
      withDamageErrors(() => Number(database.prepare('SELECT max(id) AS id FROM log').get()?.['id'] ?? 0)),
    ) ?? 0;
  const nextId = database.prepare('SELECT id FROM log WHERE id >= ? ORDER BY id LIMIT 1');
  let [whole, fruitless] = [0, 0];
  for (let from = 1; from <= lastId && fruitless < fruitlessPages;) {
    try {
      const page = reader.rows(from, pageRows, pageBytes);
      whole += page.rows.length;
      fruitless = 0;
      // If pages of the file are swapped, the last row read may have a lower id than the first.
      from = page.more ? Math.max(from, page.rows.at(-1)?.id as number) + 1 : lastId + 1;
    } catch (error) {
      if (!(error instanceof LogDamagedError)) throw error;
      // Reads the rows one by one, to name the damaged ones and to count the others.
      const [end, before] = [Math.min(from + pageRows, lastId + 1), whole];
      for (; from < end; from++) whole += verifyRow(reader, from, findings);
      fruitless = whole === before ? fruitless + 1 : 0;
      from = Math.max(from, idFrom(nextId, from));
    }
  }
  return whole;
}

/** The next id that a row has: a damaged id may be very large, and unused ids before it are skipped. */
function idFrom(nextId: StatementSync, from: number): number {
  try {
    return withDamageErrors(() => Number(nextId.get(from)?.['id'] ?? from));
  } catch (error) {
    if (!(error instanceof LogDamagedError)) throw error;
    return from;
  }
}

function verifyRow(reader: LogReader, id: number, findings: string[]): 0 | 1 {
  try {
    return reader.kv(id) === undefined ? 0 : 1;
  } catch (error) {
    if (!(error instanceof LogDamagedError)) throw error;
    const key = damagedKeyOf(reader, id);
    findings.push(key === undefined ? error.message : `${error.message}: key ${JSON.stringify(key.toString())}`);
    return 0;
  }
}

/** The key of a damaged row; undefined if the part with the key is damaged, too. */
function damagedKeyOf(reader: LogReader, id: number): Buffer | undefined {
  try {
    const row: RowHead | undefined = reader.heads(id, 1, headBytes)[0];
    const end = row?.id === id ? headLength(row.start) : undefined;
    if (row === undefined || end === undefined) return undefined;
    reader.checkHead(row, row.start.subarray(0, end));
    return decodeHead(row.start, end).key;
  } catch {
    return undefined;
  }
}

function compareWithState(
  database: DatabaseSync,
  state: LogState,
  acknowledged: number | undefined,
  findings: string[],
): void {
  tried(findings, () => {
    let tally = emptyTally;
    const sums = database.prepare('SELECT sum FROM log WHERE sum IS NOT NULL');
    sums.setReturnArrays(true);
    withDamageErrors(() => {
      for (const [sum] of sums.iterate() as unknown as Iterable<readonly [number]>) tally = addToTally(tally, sum);
    });
    if (!sameTally(tally, state.rows))
      findings.push(
        `the log holds ${tally.count} rows; ${state.rows.count} were written and not compacted since${tally.count === state.rows.count ? ', and not all of them are these' : ''}`,
      );
    if (
      !sameTally(
        withDamageErrors(() => tallyOfLeases(database)),
        state.leases,
      )
    )
      findings.push('the leases are not those that were written');
  });
  if (acknowledged !== undefined && acknowledged > state.revision)
    findings.push(
      `the file ends at revision ${state.revision}, and writes up to revision ${acknowledged} were acknowledged`,
    );
}

/** Runs `work`; adds damage to the findings and returns undefined then. */
function tried<T>(findings: string[], work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof LogDamagedError)) throw error;
    findings.push(error.message);
    return undefined;
  }
}
