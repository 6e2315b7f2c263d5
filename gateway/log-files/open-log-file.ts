import { constants, type Stats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';

export interface OpenFile {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

/** What is wrong with a path, in the words that clients get. */
export class FileFailure extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const notFound = '404 page not found';

/** Opening a pipe must not wait for who writes it: the calls of all files share four threads. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * Opens a file or folder by its absolute path, which is bytes.
 * @throws FileFailure
 */
export async function openFile(path: Buffer): Promise<OpenFile> {
  if (path.includes(0)) throw new FileFailure(404, notFound);
  let handle: FileHandle;
  try {
    handle = await open(path, flags);
  } catch (error) {
    throw await failureOf(error, path);
  }
  try {
    return { handle, stats: await handle.stat() };
  } catch (error) {
    await handle.close();
    throw await failureOf(error, path);
  }
}

async function failureOf(error: unknown, path: Buffer): Promise<FileFailure> {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENAMETOOLONG') return new FileFailure(404, 'file not found');
  if (code === 'EACCES' || code === 'EPERM') return new FileFailure(403, '403 Forbidden');
  if (code === 'ENOENT' || (await meetsFile(path))) return new FileFailure(404, notFound);
  return new FileFailure(500, '500 Internal Server Error');
}

/** Whether the path, or a part of it, is no folder: what is below or behind that is not there. */
async function meetsFile(path: Buffer): Promise<boolean> {
  for (let end = path.indexOf('/', 1); ; end = path.indexOf('/', end + 1)) {
    const part = end < 0 ? path : path.subarray(0, end);
    const stats = await stat(part).catch(() => undefined);
    if (stats === undefined) return false;
    if (!stats.isDirectory()) return true;
    if (end < 0) return false;
  }
}
