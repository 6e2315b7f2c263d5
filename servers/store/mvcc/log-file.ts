import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { ensureDataFolder } from '#shared/files/data-folder.ts';
import { FileLock, lockHolder } from '#shared/files/file-lock.ts';
import { UnusableFileError } from '#shared/files/unusable-file.ts';
import { readTip } from './durable-tip.ts';
import { isDamageOfFile, LogDamagedError } from './log-damage.ts';
import { emptyTally, prepareStateWriter, readState, stateTable, writeState } from './log-state.ts';
import type { LogState } from './log-state.ts';
import { asUnusableDatabase, isDiskFullError } from './unusable-database.ts';
import { hasTable, isFormat1, upgradeFormat1 } from './upgrade-format.ts';

const storeFolderRules = { flag: '--data-dir', marks: ['store.db'], own: [] };

/** Size of each connection's page cache in KiB; beyond it the system's file cache serves reads. */
const cacheKiB = 2048;
/** Size to which the write-ahead log is truncated after a checkpoint. */
const largestLogBytes = 16 * 1024 * 1024;

export interface LogPaths {
  readonly database: string;
  /** File with the newest acknowledged revision (durable-tip.ts). */
  readonly tip: string;
  readonly lock: string;
  /** File that reserves disk space (space-reserve.ts). */
  readonly reserve: string;
  /** File with the path of the running store's socket. */
  readonly address: string;
}

export interface LogFile {
  readonly paths: LogPaths;
  /** Connection for reads; only the commit worker writes. */
  readonly database: DatabaseSync;
  /** The state at the time when the file was opened. */
  readonly state: LogState;
  /** The path or URL by which other connections of this process open the database. */
  readonly location: string;
  /** Whether the disk was too full to open the database normally. */
  readonly isDiskFull: boolean;
  close(): void;
}

/** Another process uses the data directory. */
export class StoreLockedError extends Error {
  override readonly name = 'StoreLockedError';
}

export function logPaths(dataDir: string): LogPaths {
  return {
    database: join(dataDir, 'store.db'),
    tip: join(dataDir, 'store.tip'),
    lock: join(dataDir, 'store.lock'),
    reserve: join(dataDir, 'store.reserve'),
    address: join(dataDir, 'store.address'),
  };
}

/**
 * Opens or creates the store of a data directory, and locks it for this process by a file beside the store. An
 * exclusive lock on the store itself would exclude this process's other connections.
 * @throws StoreLockedError
 * @throws UnusableFileError when a file cannot be opened or written
 * @throws LogDamagedError when the file is damaged
 */
export function openLogFile(dataDir: string): LogFile {
  ensureDataFolder(dataDir, storeFolderRules);
  const paths = logPaths(dataDir);
  const lock = takeLock(paths.lock, dataDir);
  try {
    refuseCopiedSnapshot(paths);
    const { database, state, location, isDiskFull } = openWithRoom(paths);
    return {
      paths,
      database,
      state,
      location,
      isDiskFull,
      close: () => {
        try {
          database.close();
        } finally {
          lock.release();
        }
      },
    };
  } catch (error) {
    lock.release();
    throw isDamageOfFile(error)
      ? new LogDamagedError((error as Error).message, { cause: error })
      : asUnusableDatabase(paths.database, error);
  }
}

/** A snapshot ends with its SHA-256 behind the last page (`commands/snapshot.ts`). */
const [pageBytes, sumBytes] = [4096, 32];

/**
 * Refuses a snapshot in the place of the database of another store: SQLite would apply that store's write-ahead log to
 * it, which gives the old state, or damage.
 */
function refuseCopiedSnapshot({ database, tip }: LogPaths): void {
  const size = statSync(database, { throwIfNoEntry: false })?.size ?? 0;
  const other = [`${database}-wal`, tip].find((path) => existsSync(path));
  if (size % pageBytes !== sumBytes || other === undefined) return;
  throw new UnusableFileError(
    database,
    `is a snapshot that was copied beside ${basename(other)} of another store`,
    'move it away, and make a new data directory of it with "quarterdeck store snapshot restore"',
  );
}

/** Opens a connection with the settings that all connections of the store share. */
export function connectLog(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 10_000 });
  try {
    configure(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function configure(database: DatabaseSync): void {
  // auto_vacuum takes effect only if it is set before the first table is created.
  database.exec('PRAGMA auto_vacuum = INCREMENTAL');
  database.exec('PRAGMA journal_mode = WAL');
  // Truncates a write-ahead log that grew during a long snapshot.
  database.exec(`PRAGMA journal_size_limit = ${largestLogBytes}`);
  // FULL: each commit is on the disk before it is acknowledged.
  database.exec('PRAGMA synchronous = FULL');
  database.exec(`PRAGMA cache_size = -${cacheKiB}`);
}

/**
 * Opens the database. On a full disk the reserve is deleted first. If that does not free enough, SQLite keeps the index
 * of its write-ahead log in memory instead of a file: no other process can open the database then, but the store serves
 * it.
 */
function openWithRoom(paths: LogPaths): Pick<LogFile, 'database' | 'state' | 'location' | 'isDiskFull'> {
  const attempts = [
    { location: paths.database, isDiskFull: false },
    { location: paths.database, isDiskFull: true },
    { location: `${pathToFileURL(resolve(paths.database)).href}?vfs=unix-excl`, isDiskFull: true },
  ];
  let first: unknown;
  for (const { location, isDiskFull } of attempts) {
    if (isDiskFull) rmSync(paths.reserve, { force: true });
    try {
      return { ...openDatabase(paths, location), location, isDiskFull };
    } catch (error) {
      first ??= error;
      if (!isDiskFullError(error) || !existsSync(paths.database)) break;
    }
  }
  throw first;
}

function openDatabase(paths: LogPaths, location: string): { database: DatabaseSync; state: LogState } {
  const database = connectLog(location);
  try {
    if (isFormat1(database)) upgradeFormat1(database);
    else if (!hasTable(database, 'state')) createTables(database, readTip(paths.tip));
    const state = readState(database);
    const acknowledged = readTip(paths.tip);
    if (acknowledged !== undefined && acknowledged > state.revision) throw lostRevisions(state.revision, acknowledged);
    return { database, state };
  } catch (error) {
    database.close();
    throw error;
  }
}

function takeLock(path: string, dataDir: string): FileLock {
  const lock = FileLock.tryTake(path);
  if (lock !== undefined) return lock;
  const pid = lockHolder(path);
  throw new StoreLockedError(
    `the data directory ${dataDir} is in use by another process${pid === undefined ? '' : ` (${pid})`}: stop it, or choose another --data-dir`,
  );
}

/** The tables of a new file. */
export const logTables = `
  ${stateTable};
  CREATE TABLE log (id INTEGER PRIMARY KEY, revision INTEGER NOT NULL, deleted INTEGER NOT NULL, head_sum INTEGER, sum INTEGER, kv BLOB NOT NULL);
  CREATE TABLE lease (id TEXT PRIMARY KEY, ttl INTEGER NOT NULL) WITHOUT ROWID;`;

function createTables(database: DatabaseSync, acknowledged: number | undefined): void {
  if (hasTable(database, 'log')) throw new LogDamagedError('the table with the state of the store is missing');
  // Tables are created before the first write is acknowledged. If they are missing, acknowledged writes are lost.
  if (acknowledged !== undefined) throw lostRevisions(1, acknowledged);
  database.exec(`BEGIN; ${logTables}`);
  writeState(prepareStateWriter(database), {
    clusterId: randomId(),
    memberId: randomId(),
    revision: 1,
    compactRevision: -1,
    alarms: [],
    rows: emptyTally,
    leases: emptyTally,
    unsealed: undefined,
  });
  database.exec('COMMIT');
}

function lostRevisions(stored: number, acknowledged: number): LogDamagedError {
  return new LogDamagedError(
    `it ends at revision ${stored}, and writes up to revision ${acknowledged} were acknowledged: the end of its write-ahead log is damaged or missing`,
  );
}

/** A random id for a cluster or a member. */
export function randomId(): string {
  return randomBytes(8).readBigUInt64BE().toString();
}
