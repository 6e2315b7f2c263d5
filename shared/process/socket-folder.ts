import { hash } from 'node:crypto';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { ensurePrivateFolder } from '#shared/files/private-folder.ts';
import { longestSocketPath, temporaryFolders, temporaryRemedy } from '#shared/files/temporary-folders.ts';
import { UnusableFileError } from '#shared/files/unusable-file.ts';

/** The longest name of a socket, and of the lock beside it. */
const longestName = '/extensions-99.sock'.length;

/**
 * Makes the folder in which the processes of a data directory have their sockets: `run` in it, or a private folder of
 * temporary files, where the path is too long for a socket or the file system has none (FAT, some shares and FUSE). All
 * processes of a user find the same one.
 * @throws UnusableFileError (as a rejection) when no folder will do
 */
export async function socketFolder(dataDir: string): Promise<string> {
  const usual = join(resolve(dataDir), 'run');
  ensurePrivateFolder(usual);
  const fits = isShort(usual);
  if (fits && (await takesSockets(usual))) return usual;
  const name = `quarterdeck-${process.geteuid?.() ?? 0}-${hash('sha256', usual).slice(0, 12)}`;
  for (const folder of temporaryFolders().map((each) => join(each, name)))
    if (isShort(folder) && isPrivate(folder) && (await takesSockets(folder))) return folder;
  throw new UnusableFileError(
    dataDir,
    fits ? 'lies on a file system without Unix sockets' : `has a path that is too long for Unix sockets`,
    `name another --data-dir, or ${temporaryRemedy}`,
  );
}

function isShort(folder: string): boolean {
  return Buffer.byteLength(folder) + longestName <= longestSocketPath;
}

/** Makes the folder. False where that is impossible, or another user has made it. */
function isPrivate(folder: string): boolean {
  try {
    ensurePrivateFolder(folder);
    return true;
  } catch {
    return false;
  }
}

/** Whether one can listen on a socket in a folder. Several processes may ask at once. */
function takesSockets(folder: string): Promise<boolean> {
  return new Promise((tell) => {
    const server = createServer()
      .on('error', () => tell(false))
      .listen(join(folder, `.${process.pid}`), () => server.close(() => tell(true)));
  });
}
