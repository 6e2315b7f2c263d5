import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { LogDamagedError, withDamageErrors } from './log-damage.ts';

/**
 * Number and sum (modulo 2^48) of all rows' checksums. Both change with each commit, so they reveal rows that are
 * missing, reappeared or are out of date, even if each row is intact in itself.
 */
export interface Tally {
  readonly count: number;
  readonly sum: number;
}

/** Inclusive range of row ids that may lack checksums: rows of a file of format 1 get them after the first start. */
export interface UnsealedRows {
  readonly from: number;
  readonly to: number;
}

/** The state of the store beside its rows: a single row of the file with a checksum, written with each commit. */
export interface LogState {
  readonly clusterId: string;
  readonly memberId: string;
  /** Revision of the newest change in the file. */
  readonly revision: number;
  /** −1 before the first compaction. */
  readonly compactRevision: number;
  readonly alarms: readonly string[];
  /** Number and sum over the rows of the log that have checksums. */
  readonly rows: Tally;
  readonly leases: Tally;
  readonly unsealed: UnsealedRows | undefined;
}

export const emptyTally: Tally = { count: 0, sum: 0 };
const modulus = 2 ** 48;

export function addToTally(tally: Tally, sum: number): Tally {
  return { count: tally.count + 1, sum: (tally.sum + sum) % modulus };
}

export function takeFromTally(tally: Tally, sum: number): Tally {
  return { count: tally.count - 1, sum: (tally.sum + modulus - sum) % modulus };
}

export function sameTally(one: Tally, other: Tally): boolean {
  return one.count === other.count && one.sum === other.sum;
}

export function leaseSum(id: string, ttl: number): number {
  return crc32(`${id} ${ttl}`);
}

export const stateTable = 'CREATE TABLE state (id INTEGER PRIMARY KEY, body TEXT NOT NULL, sum INTEGER NOT NULL)';

/** @throws LogDamagedError */
export function readState(database: DatabaseSync): LogState {
  const row = withDamageErrors(() => database.prepare('SELECT body, sum FROM state WHERE id = 1').get());
  if (row === undefined) throw new LogDamagedError('the row with the state of the store is missing');
  const body = String(row['body']);
  if (crc32(body) !== row['sum'])
    throw new LogDamagedError('the row with the state of the store does not match its checksum');
  return JSON.parse(body) as LogState;
}

/** @param statement the result of {@link prepareStateWriter} */
export function writeState(statement: StatementSync, state: LogState): void {
  const body = JSON.stringify(state);
  statement.run(body, crc32(body));
}

export function prepareStateWriter(database: DatabaseSync): StatementSync {
  return database.prepare('INSERT OR REPLACE INTO state VALUES (1, ?, ?)');
}
