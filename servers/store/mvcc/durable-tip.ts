import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

const tipBytes = 12;

/**
 * The newest revision that was acknowledged, in a file of its own beside the database. It is written after each commit
 * and never flushed, so it is at most as new as the database, also after a power failure. A database that is older has
 * lost what was acknowledged: SQLite ends the reading of its write-ahead log at the first damaged frame and says
 * nothing.
 */
export class DurableTip {
  readonly #file: number | undefined;
  readonly #bytes = Buffer.alloc(tipBytes);

  constructor(path: string) {
    this.#file = ignoringFullDisk(() => openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600));
  }

  write(revision: number): void {
    const file = this.#file;
    if (file === undefined) return;
    this.#bytes.writeDoubleLE(revision, 0);
    this.#bytes.writeUInt32LE(crc32(this.#bytes.subarray(0, 8)), 8);
    ignoringFullDisk(() => writeSync(file, this.#bytes, 0, tipBytes, 0));
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}

/** Without the file less damage is found; that is no reason to refuse a write. */
function ignoringFullDisk<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isFullDisk((error as NodeJS.ErrnoException).code)) return undefined;
    throw error;
  }
}

const fullDiskCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** Whether the code of a system's error says that there is no room. */
export function isFullDisk(code: string | undefined): boolean {
  return code !== undefined && fullDiskCodes.has(code);
}

/** The revision in the file; undefined when there is none or it is damaged, for then it says nothing. */
export function readTip(path: string): number | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (bytes.length !== tipBytes || crc32(bytes.subarray(0, 8)) !== bytes.readUInt32LE(8)) return undefined;
  return bytes.readDoubleLE(0);
}
