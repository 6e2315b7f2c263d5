import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileLock } from '#shared/files/file-lock.ts';

/** A file system in memory, on Linux. */
const memoryFolder = '/dev/shm';
const prefix = 'quarterdeck-host-';
const lockName = 'host.lock';
/** A host that has just made its folder has not locked it yet. */
const youngMs = 10_000;

/** The folder of one host, with the data of its clusters. It is removed when the host ends, or by a later host. */
export interface HostFolder {
  readonly path: string;
  remove(): void;
}

/** Makes a folder in memory where the system has one, and removes those of hosts that were killed. */
export function makeHostFolder(bases: readonly string[] = [memoryFolder, tmpdir()]): HostFolder {
  const usable = bases.filter(isWritable);
  for (const base of usable) removeLeftovers(base);
  const path = mkdtempSync(join(usable[0] ?? tmpdir(), prefix));
  const lock = FileLock.tryTake(join(path, lockName));
  return {
    path,
    remove() {
      lock?.release();
      rmSync(path, { recursive: true, force: true });
    },
  };
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A host that lives holds the lock in its folder. */
function removeLeftovers(base: string): void {
  for (const name of readdirSync(base).filter((each) => each.startsWith(prefix))) {
    const path = join(base, name);
    try {
      const { uid, mtimeMs } = statSync(path);
      if (uid !== process.geteuid?.() || Date.now() - mtimeMs < youngMs) continue;
      const lock = FileLock.tryTake(join(path, lockName));
      if (lock === undefined) continue;
      lock.release();
      rmSync(path, { recursive: true, force: true });
    } catch {
      // It was removed meanwhile, or is none of ours.
    }
  }
}
