import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { FileLock } from '#shared/files/file-lock.ts';
import { backupsAmong, compressedPath, superfluous, type BackupLimits } from './backup-names.ts';

export interface CleanOptions extends BackupLimits {
  readonly compresses: boolean;
  /** Ends the work. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Removes the full files that are too many or too old, and compresses the rest. One process of several does so at a
 * time; others leave it to that one.
 */
export async function cleanBackups(path: string, options: CleanOptions): Promise<void> {
  const lock = FileLock.tryTake(join(dirname(path), `.${basename(path)}.full.lock`));
  if (lock === undefined) return;
  try {
    const backups = backupsAmong(path, await readdir(dirname(path)));
    const gone = new Set(superfluous(backups, options, options.now()));
    for (const backup of gone) await rm(backup.path, { force: true });
    if (!options.compresses) return;
    for (const backup of backups)
      if (!backup.isCompressed && !gone.has(backup)) await compress(backup.path, options.signal);
  } finally {
    lock.release();
  }
}

/** The compressed file is there whole, or not at all. */
async function compress(path: string, signal: AbortSignal): Promise<void> {
  const { mode } = await stat(path);
  const partial = `${compressedPath(path)}.partial`;
  try {
    await pipeline(createReadStream(path), createGzip(), createWriteStream(partial, { mode: 0o600, flush: true }), {
      signal,
    });
    await chmod(partial, mode & 0o777);
    await rename(partial, compressedPath(path));
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  await rm(path, { force: true });
}
