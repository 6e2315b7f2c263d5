import { chmodSync, existsSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UnusableFileError, usingFile } from './unusable-file.ts';

const othersMayWrite = 0o022;
const everybodyMayWrite = 0o002;
const onlyOwner = 0o700;

/**
 * Makes sure that only its owner can write to a folder; creates it with mode 0700 if it is missing. An existing folder
 * loses the write permissions of others, with `isSecret` all their permissions.
 * @throws UnusableFileError if that is impossible: a folder of another user, a link that another user may have put
 * there, or no folder at all
 */
export function ensurePrivateFolder(path: string, isSecret: boolean): void {
  usingFile(path, () => makePrivate(path, isSecret));
}

function makePrivate(path: string, isSecret: boolean): void {
  makeFolders(path);
  const user = process.geteuid?.();
  // A system without user ids has no file modes.
  if (user === undefined) return;
  const [link, folder] = [lstatSync(path), statSync(path)];
  if (link.isSymbolicLink() && link.uid !== user && link.uid !== 0)
    throw refusal(path, `is a link of the user ${link.uid}`, 'remove it, or name another --data-dir');
  const mode = folder.mode & 0o777;
  const isOpen = (mode & everybodyMayWrite) !== 0;
  // A volume may belong to root and be shared with a group.
  if (folder.uid !== user && (folder.uid !== 0 || isOpen))
    throw refusal(
      path,
      `has mode ${octal(mode)} and belongs to the user ${folder.uid}, not to ${user}`,
      `chown ${user} and chmod go-w it, or name another --data-dir`,
    );
  if (folder.uid !== user) return;
  const wanted = isSecret ? mode & onlyOwner : mode & ~othersMayWrite;
  if (wanted !== mode) chmodSync(path, wanted);
}

/**
 * Creates a folder with its parents. On a read-only file system a recursive `mkdir` reports that the folder does not
 * exist.
 */
function makeFolders(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: onlyOwner });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    let first = resolve(path);
    while (!existsSync(dirname(first))) first = dirname(first);
    mkdirSync(first, { mode: onlyOwner });
    throw error;
  }
}

function refusal(path: string, fault: string, remedy: string): Error {
  return new UnusableFileError(path, fault, `keys and data are not safe there; ${remedy}`);
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}
