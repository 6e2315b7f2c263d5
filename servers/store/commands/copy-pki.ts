import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PartialFile } from '#shared/files/partial-file.ts';
import { UnusableFileError, usingFile } from '#shared/files/unusable-file.ts';
import { flush } from './new-data-dir.ts';

/** The folder where the launcher keeps the servers' keys, for the data directory of their store. */
export function pkiFolderOf(dataDir: string): string {
  return join(dirname(resolve(dataDir)), 'pki');
}

/**
 * Checks that keys can be copied, before the snapshot or store that they belong to is written.
 * @throws UnusableFileError when there is nothing to copy, or something is there already
 */
export function checkPki(from: string, to: string): void {
  if (existsSync(to)) throw new UnusableFileError(resolve(to), 'exists already', 'name another, or move it away');
  usingFile(from, () => readdirSync(from));
}

/**
 * Copies keys and certificates into a folder that only this user may read. The folder gets its name only when it is
 * complete.
 * @throws UnusableFileError when there is nothing to copy, or something is there already
 */
export function copyPki(from: string, to: string): void {
  checkPki(from, to);
  const target = resolve(to);
  const names = usingFile(from, () => readdirSync(from));
  using made = new PartialFile(target);
  const partial = made.path;
  usingFile(partial, () => mkdirSync(partial, { mode: 0o700 }));
  for (const name of names.filter((file) => /\.(?:crt|key|pub)$/.test(file))) {
    const copy = join(partial, name);
    usingFile(copy, () => copyFileSync(join(from, name), copy));
    chmodSync(copy, 0o600);
    flush(copy);
  }
  usingFile(target, () => renameSync(partial, target));
  flush(dirname(target));
}
