import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { readTip } from '#servers/store/mvcc/durable-tip.ts';
import { LogDamagedError, withDamageErrors } from '#servers/store/mvcc/log-damage.ts';
import { logPaths } from '#servers/store/mvcc/log-file.ts';
import type { LogPaths } from '#servers/store/mvcc/log-file.ts';
import { PageImages } from '#servers/store/pages/page-images.ts';
import { UnusableFileError } from '#shared/files/unusable-file.ts';
import { makeDataDir } from './new-data-dir.ts';
import { Salvage } from './salvage.ts';
import { StoreFile } from './store-file.ts';

/** The result of `store repair`. */
export interface RepairReport {
  /** Number of live keys in the new store. */
  readonly keys: number;
  /** The revision at which the new store begins. */
  readonly revision: number;
  /** One sentence for each row or key that was left out. */
  readonly leftOut: readonly string[];
}

/**
 * Creates the data directory of a new store from the intact rows of another, which is only read. The newest version of
 * each key is taken, without its history. A key whose newest version is damaged is left out, and the report names its
 * newest intact version; with `takesOlder` that version is taken instead.
 * @throws UnusableFileError when nothing can be read, or the new directory is not empty
 */
export async function repairStore(
  dataDir: string,
  newDataDir: string,
  takesOlder: boolean,
  bump: number,
): Promise<RepairReport> {
  const source = logPaths(dataDir);
  const path = source.database;
  if (!existsSync(path))
    throw new UnusableFileError(path, 'does not exist', 'name the directory of a store with --data-dir');
  const leases = new LeaseRows(path);
  try {
    return await makeDataDir(newDataDir, (folder) =>
      repairInto(source, leases, logPaths(folder).database, takesOlder, bump),
    );
  } catch (error) {
    throw error instanceof LogDamagedError
      ? new UnusableFileError(path, `cannot be read at all (${error.message})`, 'restore a snapshot or a copy', error)
      : error;
  } finally {
    leases.close();
  }
}

function repairInto(
  source: LogPaths,
  leaseRows: LeaseRows,
  path: string,
  takesOlder: boolean,
  bump: number,
): RepairReport {
  const leftOut: string[] = [];
  using target = new StoreFile(path);
  using images = new PageImages(source.database);
  const acknowledged = readTip(source.tip) ?? 0;
  const salvage = new Salvage(images, target, acknowledged);
  const { state, found } = salvage;
  const written = Math.max(state?.revision ?? 1, salvage.newest);
  for (const [key, damaged] of salvage.damaged) {
    const name = JSON.stringify(Buffer.from(key, 'latin1').toString());
    const older = found.get(key);
    if (older !== undefined && older.id >= damaged.id) continue;
    if (older === undefined || older.deleted)
      leftOut.push(
        `key ${name}: row ${damaged.id} of the log (revision ${damaged.revision}) does not match its checksum, and no older version of it is whole`,
      );
    else {
      leftOut.push(
        `key ${name}: its newest version is damaged; ${takesOlder ? 'taken instead is' : '--take-older takes'} that of revision ${older.revision}, which is whole`,
      );
      if (!takesOlder) target.removeRow(older.id);
    }
  }
  const difference =
    acknowledged > written
      ? `writes up to revision ${acknowledged} were acknowledged, and of those behind ${written} nothing was found`
      : salvage.difference;
  if (difference !== undefined)
    leftOut.push(
      `${difference}: which keys they were of is not known; such a key may have an older version now, or none`,
    );
  const leases = leaseRows.read(leftOut);
  for (const { id, ttl } of leases) target.addLease(id, ttl);
  addMissingLeases(target, new Set(leases.map(({ id }) => id)), salvage, leftOut);
  if (found.size === 0 && state === undefined) throw new LogDamagedError('no row of a store is whole in it');
  return { keys: target.keys, revision: target.finish(Math.max(written, acknowledged), bump), leftOut };
}

/** Adds leases for keys whose lease is damaged or missing, so that these keys still expire. */
function addMissingLeases(target: StoreFile, known: Set<string>, { found }: Salvage, leftOut: string[]): void {
  let added = 0;
  for (const { lease, deleted } of found.values()) {
    if (deleted || lease === '0' || known.has(lease)) continue;
    known.add(lease);
    target.addLease(lease, newLeaseSeconds);
    added++;
  }
  if (added > 0)
    leftOut.push(`${added} leases are damaged or missing: their keys end in ${newLeaseSeconds / 60} minutes`);
}

const newLeaseSeconds = 3600;

/**
 * Reads the leases with SQLite. Its open read transaction also keeps a running store from resetting the write-ahead
 * log.
 */
class LeaseRows {
  readonly #database: DatabaseSync | undefined;
  #damage: LogDamagedError | undefined;

  constructor(path: string) {
    let database: DatabaseSync | undefined;
    try {
      database = withDamageErrors(() => new DatabaseSync(path, { readOnly: true, timeout: 10_000 }));
      withDamageErrors(() => database?.exec('BEGIN; SELECT count(*) FROM sqlite_master'));
    } catch (error) {
      if (!(error instanceof LogDamagedError)) throw error;
      this.#damage = error;
    }
    this.#database = database;
  }

  read(leftOut: string[]): { id: string; ttl: number }[] {
    try {
      if (this.#damage !== undefined) throw this.#damage;
      return withDamageErrors(() => (this.#database as DatabaseSync).prepare('SELECT id, ttl FROM lease').all()).map(
        (row) => ({
          id: String(row['id']),
          ttl: Number(row['ttl']),
        }),
      );
    } catch (error) {
      if (!(error instanceof LogDamagedError) && !isMissingTable(error)) throw error;
      leftOut.push(`leases: ${(error as Error).message}`);
      return [];
    }
  }

  close(): void {
    this.#database?.close();
  }
}

/** SQLITE_ERROR, which a missing table causes: the page with the table names is damaged. */
function isMissingTable(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === 1;
}
