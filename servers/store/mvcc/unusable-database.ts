import { closeSync, openSync } from 'node:fs';
import { asUnusableFile, UnusableFileError } from '#shared/files/unusable-file.ts';
import { noRoomForIndex } from './log-damage.ts';

/** SQLITE_PERM, SQLITE_READONLY, SQLITE_CANTOPEN. */
const refusals: ReadonlySet<number> = new Set([3, 8, 14]);
const sqliteFull = 13;

/** Whether SQLite had no disk space for a write. */
export function isDiskFullError(error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === 'number' && ((errcode & 0xff) === sqliteFull || errcode === noRoomForIndex);
}

/**
 * Adds the file and the cause to an error of SQLite that only says that it could not open or write. Returns other
 * errors unchanged.
 */
export function asUnusableDatabase(path: string, error: unknown): unknown {
  const { errcode } = error as { errcode?: unknown };
  if (typeof errcode !== 'number') return asUnusableFile(path, error);
  if (isDiskFullError(error))
    return asUnusableFile(path, Object.assign(new Error('disk full', { cause: error }), { code: 'ENOSPC' }));
  if (!refusals.has(errcode & 0xff)) return error;
  // Opening the file gives the system's reason.
  try {
    closeSync(openSync(path, 'r+'));
  } catch (refusal) {
    return asUnusableFile(path, refusal);
  }
  return new UnusableFileError(
    path,
    'cannot be opened for writing',
    'give this user the right to write it, what begins with its name, and its folder',
    error,
  );
}
