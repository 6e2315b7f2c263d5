import type { DatabaseSync } from 'node:sqlite';
import { addToTally, emptyTally, leaseSum, prepareStateWriter, stateTable, writeState } from './log-state.ts';
import type { LogState, Tally } from './log-state.ts';

/** Whether the file has format 1, which had no checksums, and stored its state in a table of names and values. */
export function isFormat1(database: DatabaseSync): boolean {
  return hasTable(database, 'meta');
}

export function hasTable(database: DatabaseSync, name: string): boolean {
  return (
    database.prepare("SELECT 1 AS found FROM sqlite_master WHERE type = 'table' AND name = ?").get(name) !== undefined
  );
}

/**
 * Upgrades a file of format 1 to format 2 in one transaction. The rows get their checksums later, while the store
 * serves.
 */
export function upgradeFormat1(database: DatabaseSync): void {
  const meta = new Map(
    database
      .prepare('SELECT name, value FROM meta')
      .all()
      .map((row) => [row['name'] as string, row['value'] as string]),
  );
  const number = (sql: string): number => (database.prepare(sql).get()?.['number'] as number | null) ?? 0;
  const lastId = number('SELECT max(id) AS number FROM log');
  const compactRevision = Number(meta.get('compactRevision') ?? -1);
  const state: LogState = {
    clusterId: meta.get('clusterId') ?? '',
    memberId: meta.get('memberId') ?? '',
    revision: Math.max(1, compactRevision, number('SELECT revision AS number FROM log ORDER BY id DESC LIMIT 1')),
    compactRevision,
    alarms: (meta.get('alarms') ?? '').split(',').filter((name) => name !== ''),
    rows: emptyTally,
    leases: tallyOfLeases(database),
    unsealed: lastId === 0 ? undefined : { from: 1, to: lastId },
  };
  database.exec(
    `BEGIN; ALTER TABLE log ADD COLUMN head_sum INTEGER; ALTER TABLE log ADD COLUMN sum INTEGER; ${stateTable}`,
  );
  writeState(prepareStateWriter(database), state);
  database.exec('DROP TABLE meta; COMMIT');
}

export function tallyOfLeases(database: DatabaseSync): Tally {
  return database
    .prepare('SELECT id, ttl FROM lease')
    .all()
    .reduce((tally, row) => addToTally(tally, leaseSum(row['id'] as string, row['ttl'] as number)), emptyTally);
}
