import { createHash } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { loadState } from '#servers/store/mvcc/load-state.ts';
import { LogDamagedError, withDamageErrors } from '#servers/store/mvcc/log-damage.ts';
import { connectLog, logPaths, randomId } from '#servers/store/mvcc/log-file.ts';
import { readState } from '#servers/store/mvcc/log-state.ts';
import type { LogState } from '#servers/store/mvcc/log-state.ts';
import { asUnusableDatabase } from '#servers/store/mvcc/unusable-database.ts';
import { hasTable } from '#servers/store/mvcc/upgrade-format.ts';
import { PartialFile } from '#shared/files/partial-file.ts';
import { UnusableFileError, usingFile } from '#shared/files/unusable-file.ts';
import { flush, makeDataDir } from './new-data-dir.ts';
import { writeRaisedState } from './raise-revision.ts';
import { verifyRows } from './verify-store.ts';

/**
 * Status of a snapshot file: the database followed by its SHA-256, as `etcdctl snapshot save` writes it for this store,
 * too.
 */
export interface SnapshotStatus {
  readonly revision: number;
  readonly keys: number;
  readonly bytes: number;
  /** The SHA-256, in hexadecimal digits. */
  readonly sum: string;
}

const sumBytes = 32;
const chunkBytes = 1024 * 1024;
/** Number of pages that are copied at a time. */
const pagesAtOnce = 1024;

/**
 * Saves a consistent snapshot of the store of a data directory. The store may be running: this process copies the file,
 * so the store's answers are not delayed.
 * @param onProgress called with the fraction that is done, from 0 to 1
 * @throws UnusableFileError, LogDamagedError
 */
export async function saveSnapshot(
  dataDir: string,
  file: string,
  onProgress: (part: number) => void = () => undefined,
): Promise<SnapshotStatus> {
  const { database: path } = logPaths(dataDir);
  if (!existsSync(path))
    throw new UnusableFileError(path, 'does not exist', 'name the directory of a store with --data-dir');
  const target = resolve(file);
  if (holds(dataDir, target))
    throw new UnusableFileError(
      target,
      'lies in the directory of the store, whose own files it would replace',
      'name a file elsewhere',
    );
  using made = new PartialFile(target);
  const partial = made.path;
  // Mode 0600, because a snapshot contains every Secret.
  usingFile(partial, () => closeSync(openSync(partial, 'wx', 0o600)));
  const source = new DatabaseSync(path, { readOnly: true, timeout: 10_000 });
  try {
    source.exec('BEGIN');
    if (!hasTable(source, 'state'))
      throw new UnusableFileError(path, 'is of a release without checksums', 'start the store once, which adds them');
    readState(source);
    await usingDisk(partial, () =>
      backup(source, partial, {
        rate: pagesAtOnce,
        progress: ({ totalPages, remainingPages }) => onProgress(1 - remainingPages / Math.max(1, totalPages)),
      }),
    );
  } finally {
    source.close();
  }
  await usingDisk(partial, () => appendSum(partial));
  const status = readSnapshot(partial);
  flush(partial);
  renameSync(partial, target);
  flush(dirname(target));
  return status;
}

function holds(folder: string, file: string): boolean {
  const parent = dirname(file);
  return existsSync(parent) && realpathSync(parent) === realpathSync(folder);
}

/** Reads and checks a whole snapshot. @throws UnusableFileError when the file is damaged or no snapshot */
export function readSnapshot(file: string): SnapshotStatus {
  const { sum, bytes } = checkSum(file);
  const url = pathToFileURL(resolve(file));
  // `immutable`: no other process writes the file, and SQLite creates no files beside it.
  url.searchParams.set('immutable', '1');
  const database = new DatabaseSync(url, { readOnly: true });
  try {
    const { state, keys } = checkImage(database);
    return { revision: state.revision, keys, bytes, sum };
  } catch (error) {
    throw error instanceof LogDamagedError ? damagedSnapshot(file, error.message, error) : error;
  } finally {
    database.close();
  }
}

/**
 * Creates the data directory of a new store from a snapshot.
 * @param bump see {@link writeRaisedState}
 * @returns the revision at which the new store begins
 * @throws UnusableFileError when the snapshot is damaged, or the directory is not empty
 */
export async function restoreSnapshot(file: string, dataDir: string, bump: number): Promise<number> {
  return makeDataDir(dataDir, async (folder) => {
    readSnapshot(file);
    const { database: path } = logPaths(folder);
    await usingDisk(path, () => copyBytes(file, path));
    const database = connectLog(path);
    try {
      return await usingDisk(path, () =>
        writeRaisedState(database, readState(database), { clusterId: randomId(), memberId: randomId() }, bump),
      );
    } finally {
      database.close();
    }
  });
}

/** @throws LogDamagedError */
function checkImage(database: DatabaseSync): { state: LogState; keys: number } {
  if (!withDamageErrors(() => hasTable(database, 'state') && hasTable(database, 'log')))
    throw new LogDamagedError('it holds no tables of a store');
  const state = readState(database);
  const { index } = loadState({ database, state });
  const findings: string[] = [];
  verifyRows(database, state, findings);
  if (findings[0] !== undefined) throw new LogDamagedError(findings[0]);
  let keys = 0;
  index.forEach({ start: '', end: null }, (entry) => {
    if (entry.createRevision !== 0) keys++;
  });
  return { state, keys };
}

/** @throws UnusableFileError when the file does not end with the SHA-256 of its preceding bytes */
function checkSum(path: string): { sum: string; bytes: number } {
  const digest = createHash('sha256');
  const { bytes, rest } = readChunks(path, sumBytes, (chunk) => digest.update(chunk));
  const sum = digest.digest();
  if (rest.length !== sumBytes || !sum.equals(rest))
    throw damagedSnapshot(path, 'its SHA-256 is not that of what it holds');
  return { sum: sum.toString('hex'), bytes };
}

function damagedSnapshot(path: string, detail: string, cause?: unknown): UnusableFileError {
  return new UnusableFileError(path, `is no whole snapshot (${detail})`, 'take another one', cause);
}

function appendSum(path: string): void {
  const digest = createHash('sha256');
  readChunks(path, 0, (chunk) => digest.update(chunk));
  appendFileSync(path, digest.digest());
}

function copyBytes(from: string, to: string): void {
  const file = openSync(to, 'wx', 0o600);
  try {
    readChunks(from, sumBytes, (chunk) => writeSync(file, chunk));
  } finally {
    closeSync(file);
  }
}

/** @param kept number of bytes at the end that are returned as `rest` instead of being passed to `visit` */
function readChunks(path: string, kept: number, visit: (chunk: Buffer) => void): { bytes: number; rest: Buffer } {
  // Without O_NONBLOCK, opening a pipe without a writer would block, and signals would not be handled.
  const file = usingFile(path, () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
  try {
    const found = fstatSync(file);
    if (found.isFIFO() || found.isCharacterDevice()) throw new UnusableFileError(path, 'is no file', 'name a snapshot');
    const bytes = found.size;
    const buffer = Buffer.allocUnsafe(chunkBytes);
    for (let left = bytes - kept; left > 0;) {
      const read = usingFile(path, () => readSync(file, buffer, 0, Math.min(chunkBytes, left), null));
      if (read === 0) break;
      visit(buffer.subarray(0, read));
      left -= read;
    }
    const rest = Buffer.alloc(Math.min(kept, bytes));
    readSync(file, rest, 0, rest.length, bytes - rest.length);
    return { bytes, rest };
  } finally {
    closeSync(file);
  }
}

/** Runs work that writes a file; errors of the disk are rethrown with the file's name. */
async function usingDisk<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asUnusableDatabase(path, error);
  }
}
