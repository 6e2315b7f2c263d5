/**
 * A file or folder that cannot be used as it is. A retry fails until the file is changed, so a process that gets this
 * error at its start ends with `unusableFileExitCode`. The message is one line: file, cause, remedy.
 */
export class UnusableFileError extends Error {
  override readonly name = 'UnusableFileError';
  readonly path: string;
  /** The code of the operating system's error, such as `ENOENT`, if there was one. */
  readonly code: string | undefined;

  constructor(path: string, fault: string, remedy: string, cause?: unknown) {
    super(`${path} ${fault}: ${remedy}`, cause === undefined ? undefined : { cause });
    this.path = path;
    this.code = (cause as NodeJS.ErrnoException | undefined)?.code;
  }
}

/** EX_CONFIG of sysexits.h: the same start would end the same way. */
export const unusableFileExitCode = 78;

/** Errors of the operating system about a file, and a remedy for each. */
const faults: ReadonlyMap<string, readonly [fault: string, remedy: string]> = new Map([
  ['ENOENT', ['does not exist', 'put it there, or name another']],
  ['EEXIST', ['is a file where a folder is needed', 'move it away, or name another folder']],
  ['ENOTDIR', ['lies below a file, which can hold nothing', 'move that file away, or name another folder']],
  ['EISDIR', ['is a folder where a file is needed', 'move it away, or name another file']],
  ['EACCES', ['may not be used by this user', 'give this user the right to read and write it, or name another']],
  ['EPERM', ['may not be changed by this user', 'give this user the right to read and write it, or name another']],
  ['EROFS', ['lies on a file system that is mounted read-only', 'mount it for writing, or name another place']],
  ['ENOSPC', ['cannot be written: the disk is full', 'make room on it, or name another place']],
  ['EDQUOT', ['cannot be written: the disk quota of this user is used up', 'make room, or name another place']],
  ['ELOOP', ['is a link that leads to itself', 'remove the link']],
  ['ENOTSUP', ['lies on a file system without Unix sockets', 'name another place']],
  ['ENAMETOOLONG', ['has too long a name', 'name a shorter path']],
  [
    'EIO',
    ['cannot be read or written: the disk reports an error', 'replace the disk, and put a copy or a snapshot in place'],
  ],
]);

/** Turns an error of the operating system about a file into one that names the file. Returns other errors unchanged. */
export function asUnusableFile(path: string, error: unknown): unknown {
  const found = faults.get((error as NodeJS.ErrnoException).code ?? '');
  return found === undefined || error instanceof UnusableFileError
    ? error
    : new UnusableFileError(path, ...found, error);
}

/** Runs work on a file. @throws UnusableFileError if the operating system reports an error about the file */
export function usingFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asUnusableFile(path, error);
  }
}
