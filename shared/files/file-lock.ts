import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { asUnusableFile, UnusableFileError } from './unusable-file.ts';

const sqliteBusy = 5;
/** SQLITE_PROTOCOL, and those of SQLITE_IOERR that are about locks: UNLOCK, RDLOCK, CHECKRESERVEDLOCK, LOCK. */
const noLocks: ReadonlySet<number> = new Set([15, 2058, 2314, 3594, 3850]);
const pauseMs = 20;

/**
 * A lock of the operating system on an open file, which ends with its process in any way. Node.js has no function for
 * one; a transaction on an SQLite database, which stays empty, holds one.
 *
 * The file must not be opened in another way while it is locked: closing it would end the lock (`fcntl(2)`).
 */
export class FileLock implements Disposable {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /**
   * Takes a lock, of which one process holds an exclusive one or many hold a shared one. The file is made if it is
   * missing.
   * @returns undefined while another process holds it
   * @throws UnusableFileError when the file cannot be opened, is no lock, or the file system has none
   */
  static tryTake(path: string, kind: 'exclusive' | 'shared' = 'exclusive'): FileLock | undefined {
    let database: DatabaseSync | undefined;
    try {
      database = new DatabaseSync(path, { timeout: 0 });
      database.exec('PRAGMA journal_mode = MEMORY');
      if (kind === 'exclusive') database.exec('BEGIN EXCLUSIVE');
      // A transaction takes its shared lock with the first read.
      else database.exec('BEGIN; SELECT count(*) FROM sqlite_master');
      return new FileLock(database);
    } catch (error) {
      database?.close();
      if (hasNoLocks(error) || (isBusy(error) && !locksIn(dirname(path)))) throw withoutLocks(path, error);
      if (isBusy(error)) return undefined;
      throw reasonOf(path, error);
    }
  }

  /** Takes a lock as {@link tryTake} does; undefined when another process still holds it after `withinMs`. */
  static async take(path: string, withinMs: number, kind?: 'exclusive' | 'shared'): Promise<FileLock | undefined> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const lock = FileLock.tryTake(path, kind);
      if (lock !== undefined || performance.now() > deadline) return lock;
      await sleep(pauseMs);
    }
  }

  release(): void {
    this.#database.close();
  }

  [Symbol.dispose](): void {
    this.release();
  }
}

/** What the system says of the file; SQLite says only that it cannot open it. */
function reasonOf(path: string, error: unknown): unknown {
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch (reason) {
    return asUnusableFile(path, reason);
  }
  return new UnusableFileError(path, 'is no lock', 'remove it, for it holds no data', error);
}

/** Folders where locks were seen to work. */
const withLocks = new Set<string>();

/**
 * Whether a lock can be taken in a folder, on a file that nobody else knows. SQLite says that a file is locked, too,
 * when the system has no lock to give (ENOLCK), as network file systems without a lock daemon.
 */
function locksIn(folder: string): boolean {
  if (withLocks.has(folder)) return true;
  const path = join(folder, `.lock-${randomUUID()}`);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 0 });
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    withLocks.add(folder);
    return true;
  } catch {
    return false;
  } finally {
    database?.close();
    rmSync(path, { force: true });
  }
}

function withoutLocks(path: string, cause: unknown): UnusableFileError {
  return new UnusableFileError(
    dirname(path),
    'lies on a file system without locks, by which one server is kept from the data of another',
    'name another place, on a local disk',
    cause,
  );
}

function hasNoLocks(error: unknown): boolean {
  return noLocks.has((error as { errcode?: number }).errcode ?? 0);
}

function isBusy(error: unknown): boolean {
  return (((error as { errcode?: number }).errcode ?? 0) & 0xff) === sqliteBusy;
}

/**
 * The process that holds a lock on a file, by `proc_locks(5)`. Undefined on other systems, and for a process of another
 * machine or container.
 */
export function lockHolder(path: string): number | undefined {
  try {
    const { ino } = statSync(path);
    for (const line of readFileSync('/proc/locks', 'utf8').split('\n')) {
      // "1: POSIX ADVISORY WRITE 5815 fe:00:10103349 1073741824 1073742335"; what waits begins with "1: ->".
      const [, , , , pid = '', file = ''] = line.split(/ +/);
      if (file.endsWith(`:${ino}`) && Number(pid) > 0) return Number(pid);
    }
  } catch {
    // The holder is unknown then.
  }
  return undefined;
}
