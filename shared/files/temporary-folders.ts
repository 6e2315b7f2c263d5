import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnusableFileError } from './unusable-file.ts';

/** Longest path of a Unix socket in bytes: `sockaddr_un` has 108 with the byte that ends it, on macOS 104. */
export const longestSocketPath = process.platform === 'darwin' ? 103 : 107;

export const temporaryRemedy = 'set TMPDIR to a folder with a short path in which this user may make files and sockets';

/** Where temporary files may lie: TMPDIR, which may be missing or too long for sockets, then what every Unix has. */
export function temporaryFolders(): readonly string[] {
  return [...new Set([tmpdir(), '/tmp', '/var/tmp', '/dev/shm'])];
}

/**
 * Makes a folder that only this user can open, for a socket whose path below it has at most `socketBytes`.
 * @throws UnusableFileError
 */
export function makeTemporaryFolder(prefix: string, socketBytes: number): string {
  let cause: unknown;
  for (const folder of temporaryFolders()) {
    // `mkdtemp` adds six characters.
    if (Buffer.byteLength(join(folder, prefix)) + 6 + 1 + socketBytes > longestSocketPath) continue;
    try {
      return mkdtempSync(join(folder, prefix));
    } catch (error) {
      cause ??= error;
    }
  }
  throw new UnusableFileError(tmpdir(), 'holds no temporary folder, and neither does /tmp', temporaryRemedy, cause);
}
