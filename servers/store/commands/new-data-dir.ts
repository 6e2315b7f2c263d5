import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { PartialFile } from '../../../shared/files/partial-file.ts';
import { UnfitFileError, usingFile } from '../../../shared/files/unfit-file.ts';

/**
 * Makes a data directory: `fill` writes into a folder beside it, which takes its name when everything in it is on the disk. A
 * process that is killed leaves no half of a store under the final name.
 * @throws UnfitFileError when there is something in the directory already
 */
export async function makeDataDir<T>(dataDir: string, fill: (folder: string) => T | Promise<T>): Promise<T> {
  const path = resolve(dataDir);
  const isThere = existsSync(path);
  if (isThere && usingFile(path, () => readdirSync(path)).length > 0) throw new UnfitFileError(path, 'is not empty', 'name a new directory with --data-dir; what is there is never overwritten');
  using made = new PartialFile(path);
  const partial = made.path;
  usingFile(partial, () => mkdirSync(partial, { recursive: true, mode: 0o700 }));
  const result = await fill(partial);
  for (const name of readdirSync(partial)) flush(`${partial}/${name}`);
  flush(partial);
  if (isThere) rmdirSync(path);
  renameSync(partial, path);
  flush(dirname(path));
  return result;
}

/** Waits until a file, or the names in a folder, are on the disk. */
export function flush(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
