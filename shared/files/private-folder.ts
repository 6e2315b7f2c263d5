import { chmodSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UnusableFileError, usingFile } from './unusable-file.ts';

/** The permission of everybody to write. */
export const everybodyMayWrite = 0o002;
const onlyOwner = 0o700;

/**
 * Makes a folder that only its owner can open; an existing one loses all permissions of others. It is for folders that
 * have their name from this product, such as `pki` in a data directory, and for no folder that a user names
 * (`data-folder.ts`).
 * @throws UnusableFileError if that is impossible: a folder of another user, a link that another user may have put
 * there, or no folder at all
 */
export function ensurePrivateFolder(path: string): void {
  usingFile(path, () => {
    if (makeFolder(path)) return;
    const user = process.geteuid?.();
    // A system without user ids has no file modes.
    if (user === undefined) return;
    checkOwner(path, '--data-dir');
    const { uid, mode } = statSync(path);
    const wanted = mode & onlyOwner;
    if (uid === user && wanted !== (mode & 0o777)) chmodSync(path, wanted);
  });
}

/**
 * Checks that nobody but this user and root can replace what lies in an existing folder.
 * @throws UnusableFileError
 */
export function checkOwner(path: string, flag: string): void {
  const user = process.geteuid?.();
  if (user === undefined) return;
  const [link, folder] = [lstatSync(path), statSync(path)];
  if (link.isSymbolicLink() && link.uid !== user && link.uid !== 0)
    throw refusal(path, `is a link of the user ${link.uid}`, `remove it, or name another ${flag}`);
  const mode = folder.mode & 0o777;
  // A volume may belong to root and be shared with a group.
  if (folder.uid !== user && (folder.uid !== 0 || (mode & everybodyMayWrite) !== 0))
    throw refusal(
      path,
      `has mode ${octal(mode)} and belongs to the user ${folder.uid}, not to ${user}`,
      `chown ${user} and chmod go-w it, or name another ${flag}`,
    );
}

/**
 * Makes a folder with its parents. A recursive `mkdir` of Node.js never ends in /proc, where the parent exists and
 * takes no folders, and it does not tell a read-only file system from a missing folder.
 * @returns whether it was made; false when it was there
 */
export function makeFolder(path: string): boolean {
  const missing: string[] = [];
  let existing = resolve(path);
  for (let up = dirname(existing); up !== existing && !isThere(existing); up = dirname(existing)) {
    missing.push(existing);
    existing = up;
  }
  if (missing.length === 0 && !statSync(existing).isDirectory())
    throw Object.assign(new Error('not a folder'), { code: 'EEXIST' });
  for (const folder of missing.reverse()) makeOne(folder);
  return missing.length > 0;
}

/** @throws UnusableFileError for a link that leads nowhere */
function isThere(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return true;
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false;
  throw new UnusableFileError(path, 'is a link to something that does not exist', 'remove it, or make its target');
}

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: onlyOwner });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Another process made it.
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    if (code !== 'ENOENT') throw error;
    throw new UnusableFileError(path, 'cannot be made: this file system takes no folders', 'name another', error);
  }
}

function refusal(path: string, fault: string, remedy: string): Error {
  return new UnusableFileError(path, fault, `keys and data are not safe there; ${remedy}`);
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}
