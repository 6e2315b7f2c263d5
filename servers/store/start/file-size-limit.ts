import { readFileSync } from 'node:fs';
import { UnusableFileError } from '#shared/files/unusable-file.ts';

/** With less than this, the store cannot even write what a new cluster needs. */
const leastBytes = 64 * 1024 * 1024;

/**
 * Checks how large the files of this process may become (`ulimit -f`). SQLite reports a write beyond as an error of the
 * disk, which would be taken for damage.
 * @throws UnusableFileError when that is too little for a store
 */
export function checkFileSizeLimit(dataDir: string, limit = fileSizeLimit()): void {
  if (limit === undefined || limit >= leastBytes) return;
  throw new UnusableFileError(
    dataDir,
    `cannot hold a store, as files may have ${limit} bytes at most`,
    'raise "ulimit -f" (LimitFSIZE= of systemd)',
  );
}

/** Undefined where there is no limit, or the system does not tell. */
function fileSizeLimit(): number | undefined {
  try {
    const [, soft] = /^Max file size +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
