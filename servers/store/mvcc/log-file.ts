import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Pages that each connection may keep in memory (KiB): the system's file cache does the rest. */
const cacheKiB = 2048;

export interface LogFile {
  /** Path of the database. */
  readonly path: string;
  /** For reading; writing is the commit worker's. */
  readonly database: DatabaseSync;
  readonly clusterId: string;
  readonly memberId: string;
  close(): void;
}

/** Another process has the data directory. */
export class StoreLockedError extends Error {
  override readonly name = 'StoreLockedError';
}

/**
 * Opens, or makes, the store of a data directory and locks it for this process.
 *
 * The lock is an open write transaction on a database beside the store: the system frees it with the process, however that
 * ends, and the store itself stays open to this process's other connections (an exclusive lock on it would not).
 * @throws StoreLockedError
 */
export function openLogFile(dataDir: string): LogFile {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = takeLock(join(dataDir, 'store.lock'), dataDir);
  const path = join(dataDir, 'store.db');
  try {
    const database = connectLog(path);
    createTables(database);
    const identity = (name: string): string => String(database.prepare('SELECT value FROM meta WHERE name = ?').get(name)?.['value']);
    return {
      path,
      database,
      clusterId: identity('clusterId'),
      memberId: identity('memberId'),
      close: () => {
        database.close();
        lock.close();
      },
    };
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** A connection with the settings that every one of the store has. */
export function connectLog(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 10_000 });
  // Only before the first table does auto_vacuum take effect.
  database.exec('PRAGMA auto_vacuum = INCREMENTAL');
  database.exec('PRAGMA journal_mode = WAL');
  // FULL: each commit is on the disk before it is acknowledged.
  database.exec('PRAGMA synchronous = FULL');
  database.exec(`PRAGMA cache_size = -${cacheKiB}`);
  return database;
}

function takeLock(path: string, dataDir: string): DatabaseSync {
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    throw new StoreLockedError(`the data directory ${dataDir} is in use by another process: stop it, or choose another --data-dir`, { cause: error });
  }
}

function createTables(database: DatabaseSync): void {
  const exists = database.prepare("SELECT 1 AS found FROM sqlite_master WHERE type = 'table' AND name = 'meta'").get();
  if (exists !== undefined) return;
  database.exec(`
    BEGIN;
    CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE log (id INTEGER PRIMARY KEY, revision INTEGER NOT NULL, deleted INTEGER NOT NULL, kv BLOB NOT NULL);
    CREATE TABLE lease (id TEXT PRIMARY KEY, ttl INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO meta VALUES ('format', '1'), ('clusterId', '${randomId()}'), ('memberId', '${randomId()}');
    COMMIT;`);
}

function randomId(): string {
  return randomBytes(8).readBigUInt64BE().toString();
}
