import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

const tipBytes = 12;

/**
 * The newest acknowledged revision, in a separate file beside the database. It is written after each commit and never
 * flushed, so it is never newer than an intact database, even after a power failure. An older database has lost
 * acknowledged writes: SQLite stops reading its write-ahead log at the first damaged frame without an error.
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

/** Ignores a full disk: without this file less damage is detected, but writes must not fail because of it. */
function ignoringFullDisk<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isFullDisk((error as NodeJS.ErrnoException).code)) return undefined;
    throw error;
  }
}

const fullDiskCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** Whether an error code of the system means that the disk is full. */
export function isFullDisk(code: string | undefined): boolean {
  return code !== undefined && fullDiskCodes.has(code);
}

/** The revision in the file; undefined if the file is missing or damaged. */
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
