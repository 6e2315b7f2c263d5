import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { PartialFile } from '#shared/files/partial-file.ts';
import { makeFolder } from '#shared/files/private-folder.ts';
import { UnusableFileError, usingFile } from '#shared/files/unusable-file.ts';

/**
 * Creates a data directory: `fill` writes into a folder beside it, which is renamed when all its files are on the disk.
 * If the process is killed, no incomplete store is left under the final name.
 * @throws UnusableFileError when the directory is not empty
 */
export async function makeDataDir<T>(dataDir: string, fill: (folder: string) => T | Promise<T>): Promise<T> {
  const named = resolve(dataDir);
  const isThere = lstatSync(named, { throwIfNoEntry: false }) !== undefined;
  // For a symbolic link the directory is created at its target.
  const path = isThere ? usingFile(named, () => realpathSync(named)) : named;
  if (isThere && usingFile(path, () => readdirSync(path)).length > 0)
    throw new UnusableFileError(
      path,
      'is not empty',
      'name a new directory with --data-dir; what is there is never overwritten',
    );
  if (isThere && statSync(path).dev !== statSync(dirname(path)).dev)
    throw new UnusableFileError(
      path,
      'is where a file system is mounted, which cannot take the place of a folder',
      'name a new directory in it',
    );
  using made = new PartialFile(path);
  const partial = made.path;
  usingFile(partial, () => makeFolder(dirname(partial)));
  usingFile(partial, () => mkdirSync(partial, { mode: 0o700 }));
  const result = await fill(partial);
  for (const name of readdirSync(partial)) flush(`${partial}/${name}`);
  flush(partial);
  if (isThere) rmdirSync(path);
  renameSync(partial, path);
  flush(dirname(path));
  return result;
}

/** Flushes a file, or the entries of a folder, to the disk. */
export function flush(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
