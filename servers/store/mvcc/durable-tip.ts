import { readFileSync, writeSync } from 'node:fs';
import { revisionBytes, TipRecord } from '#shared/storage/tip/tip-record.ts';

/**
 * Writes the newest acknowledged revision to `store.tip` beside the database, after each commit and before anybody is
 * told of it. It is for two readers:
 *
 * - the next start: the file is never flushed, so it is never newer than an intact database, even after a power
 *   failure. An older database has lost acknowledged writes: SQLite stops reading its write-ahead log at the first
 *   damaged frame without an error.
 * - servers on this machine, which read it in place of asking the store (served-tip.ts).
 */
export class DurableTip {
  readonly #file: number | undefined;
  readonly #isDurable: boolean;
  readonly #record = new TipRecord();

  /**
   * @param file the open file; undefined if there is none, as the disk is full
   * @param isDurable false without flushes: then the database may be older than this file
   */
  constructor(file: number | undefined, isDurable: boolean) {
    this.#file = file;
    this.#isDurable = isDurable;
  }

  /** @returns false if the file is older now, as the disk is full (some file systems need space to overwrite) */
  write(revision: number): boolean {
    const file = this.#file;
    if (file === undefined) return true;
    this.#record.setRevision(revision, this.#isDurable);
    return ignoringFullDisk(() => writeSync(file, this.#record.bytes, 0, revisionBytes, 0)) === revisionBytes;
  }
}

/** Ignores a full disk: without this file less damage is detected, but writes must not fail because of it. */
export function ignoringFullDisk<T>(work: () => T): T | undefined {
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

/** The revision in the file; undefined if the file is missing or damaged, or was written without flushes. */
export function readTip(path: string): number | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (bytes.length < revisionBytes) return undefined;
  const record = new TipRecord();
  bytes.copy(record.bytes);
  return record.durableRevision();
}
