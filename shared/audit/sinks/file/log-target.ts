import { closeSync, constants, fstatSync, mkdirSync, openSync, write } from 'node:fs';
import { mkdir, open, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDWR, O_WRONLY } = constants;
const folderMode = 0o700;
const fileMode = 0o600;

/** An open file of events. */
export interface OpenLog {
  /** Writes what follows `offset`, at the end of the file. Resolves to the bytes that were written. */
  write(bytes: Uint8Array, offset: number): Promise<number>;
  /** Whether the file is in no folder any more. */
  isGone(): Promise<boolean>;
  close(): Promise<void>;
  /** Whether it is a file on a disk, which can be rotated, and not a pipe or a device. */
  readonly isFile: boolean;
  readonly ino: number;
  size: number;
}

/**
 * Makes the folder and the file if they are missing, and tries whether the file can be written.
 * @throws the error of the operating system
 */
export function prepareLog(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: folderMode });
  // Pipes open at once for both directions, whether somebody reads or not.
  closeSync(openSync(path, O_CREAT | O_APPEND | O_RDWR | O_NONBLOCK, fileMode));
}

/**
 * Opens the file to append to it; a pipe without waiting for its reader, which fails if there is none.
 * @param mode of a file that is made
 */
export async function openLog(path: string, mode = fileMode): Promise<OpenLog> {
  await mkdir(dirname(path), { recursive: true, mode: folderMode });
  return opened(await open(path, O_CREAT | O_APPEND | O_WRONLY | O_NONBLOCK, mode));
}

const writeTo = promisify(write);

/**
 * The standard output. A pipe or a terminal is opened once more, so that a reader who stops reading holds no thread. A
 * file is written by the descriptor that other processes have, too, whose offset they share.
 */
export async function openStandardOutput(): Promise<OpenLog> {
  if (!fstatSync(1).isFile()) {
    try {
      return await opened(await open('/proc/self/fd/1', O_WRONLY | O_NONBLOCK));
    } catch {
      // A socket cannot be opened so, and not every system has such paths.
    }
  }
  return {
    write: async (bytes, offset) => (await writeTo(1, bytes, offset)).bytesWritten,
    isGone: () => Promise.resolve(false),
    close: () => Promise.resolve(),
    isFile: false,
    ino: 0,
    size: 0,
  };
}

async function opened(handle: FileHandle): Promise<OpenLog> {
  const { ino, size, ...stats } = await handle.stat();
  const isFile = (stats.mode & constants.S_IFMT) === constants.S_IFREG;
  return {
    write: async (bytes, offset) => (await handle.write(bytes, offset)).bytesWritten,
    isGone: async () => (await handle.stat()).nlink === 0,
    close: () => handle.close(),
    isFile,
    ino,
    size: isFile ? size : 0,
  };
}

/** What lies at a path now; undefined if there is nothing. */
export async function found(path: string): Promise<{ ino: number; size: number; mode: number } | undefined> {
  return stat(path).catch(() => undefined);
}
