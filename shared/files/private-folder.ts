import { chmodSync, lstatSync, mkdirSync, statSync } from 'node:fs';

const othersMayWrite = 0o022;
const everybodyMayWrite = 0o002;
const onlyOwner = 0o700;

/**
 * A folder that nobody but its user writes: made with mode 0700 where there is none. One that is there loses the rights of
 * others to write; `isSecret`: all rights of others. Throws where that cannot be set right: a folder of another user, or a
 * link that another user may have put there.
 */
export function ensurePrivateFolder(path: string, isSecret: boolean): void {
  mkdirSync(path, { recursive: true, mode: onlyOwner });
  const user = process.geteuid?.();
  // There are no modes without users.
  if (user === undefined) return;
  const [link, folder] = [lstatSync(path), statSync(path)];
  if (link.isSymbolicLink() && link.uid !== user && link.uid !== 0) throw refusal(path, `is a link of the user ${link.uid}`, 'remove it, or name another --data-dir');
  const mode = folder.mode & 0o777;
  const isOpen = (mode & everybodyMayWrite) !== 0;
  // A volume may belong to root and be lent to a group.
  if (folder.uid !== user && (folder.uid !== 0 || isOpen)) throw refusal(path, `has mode ${octal(mode)} and belongs to the user ${folder.uid}, not to ${user}`, `chown ${user} and chmod go-w it, or name another --data-dir`);
  if (folder.uid !== user) return;
  const wanted = isSecret ? mode & onlyOwner : mode & ~othersMayWrite;
  if (wanted !== mode) chmodSync(path, wanted);
}

function refusal(path: string, fault: string, remedy: string): Error {
  return new Error(`${path} ${fault}: keys and data are not safe there; ${remedy}`);
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}
