import { rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FileLock } from '#shared/files/file-lock.ts';
import { backupPath, compressedPath } from './backup-names.ts';
import { found, openLog, openStandardOutput, type OpenLog } from './log-target.ts';

export interface RotatingLogOptions {
  /** `-` for the standard output. */
  readonly path: string;
  /** The size at which a new file begins; 0 for never. */
  readonly maxBytes: number;
  /** Milliseconds since the epoch, for the names of full files. */
  readonly now: () => number;
  /** Other processes write to the same file, and administrators move it away: so often it is looked at. */
  readonly checkEveryMs: number;
  /** Called when there may be full files to remove or to compress. */
  readonly onFull: () => void;
}

/** How much was written, and why not all. */
export interface Appended {
  readonly lines: number;
  readonly fault?: unknown;
}

const maxWriteBytes = 1024 * 1024;
const lockMs = 1000;
/** A pipe that is full is tried again after this time. */
const fullPipeMs = 10;
const lineFeed = Buffer.from('\n');

/**
 * A file that events are appended to, and that is renamed when it is full. Several processes may have the same path:
 * each write is one call in append mode, so that lines stay whole; a lock keeps two from renaming at once, and who
 * finds that the file was renamed goes on in the new one. Not to be called again before a call has ended.
 */
export class RotatingLog {
  readonly #options: RotatingLogOptions;
  #log: OpenLog | undefined;
  #checkedMs = 0;
  /** Whether the last write broke off within a line. */
  #isTorn = false;
  #isHurried = false;

  constructor(options: RotatingLogOptions) {
    this.#options = options;
  }

  /** Appends lines, which have no line feed yet. Never rejects. */
  async append(lines: readonly Buffer[]): Promise<Appended> {
    let written = 0;
    try {
      while (written < lines.length) written += await this.#appendSome(lines, written);
      return { lines: written };
    } catch (fault) {
      await this.#forget();
      return { lines: written, fault };
    }
  }

  /** Pipes that nobody reads are not waited for any more. */
  hurry(): void {
    this.#isHurried = true;
  }

  close(): Promise<void> {
    return this.#forget();
  }

  /** @returns how many lines were written, 0 if a new file has begun instead */
  async #appendSome(lines: readonly Buffer[], from: number): Promise<number> {
    const log = await this.#current();
    const { maxBytes } = this.#options;
    const room = log.isFile && maxBytes > 0 ? maxBytes - log.size : Infinity;
    const count = fitting(lines, from, Math.min(room, maxWriteBytes));
    const first = (lines[from]?.length ?? 0) + 1;
    if (count === 0 && first > room && log.size > 0) {
      await this.#rotate(log);
      return 0;
    }
    // A line that is longer than a file may be gets a file of its own.
    const taken = lines.slice(from, from + Math.max(1, count)).flatMap((line) => [line, lineFeed]);
    await this.#writeWhole(log, Buffer.concat(this.#isTorn ? [lineFeed, ...taken] : taken));
    return (await this.#isLost(log)) ? 0 : taken.length / 2;
  }

  async #current(): Promise<OpenLog> {
    const { path, checkEveryMs, onFull } = this.#options;
    const nowMs = performance.now();
    if (this.#log?.isFile === true && nowMs - this.#checkedMs >= checkEveryMs) await this.#check(this.#log, nowMs);
    if (this.#log !== undefined) return this.#log;
    this.#log = path === '-' ? await openStandardOutput() : await openLog(path);
    this.#checkedMs = nowMs;
    if (this.#log.isFile) onFull();
    return this.#log;
  }

  /** Closes a file that was renamed or removed. */
  async #check(log: OpenLog, nowMs: number): Promise<void> {
    const present = await found(this.#options.path);
    if (present?.ino !== log.ino) return this.#forget();
    log.size = present.size;
    this.#checkedMs = nowMs;
  }

  async #writeWhole(log: OpenLog, bytes: Buffer): Promise<void> {
    const isTorn = this.#isTorn;
    for (let offset = 0; offset < bytes.length;) {
      offset += await this.#write(log, bytes, offset);
      this.#isTorn = offset > 0 ? offset < bytes.length : isTorn;
    }
    log.size += bytes.length;
  }

  /** Waits for the reader of a pipe that is full. */
  async #write(log: OpenLog, bytes: Buffer, offset: number): Promise<number> {
    for (;;) {
      try {
        return await log.write(bytes, offset);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || this.#isHurried) throw error;
        await sleep(fullPipeMs, undefined, { ref: false });
      }
    }
  }

  /**
   * Whether a write came so late that another process had renamed, compressed and removed the file meanwhile, which it
   * does after two seconds at the earliest.
   */
  async #isLost(log: OpenLog): Promise<boolean> {
    const isFresh = performance.now() - this.#checkedMs < 10 * this.#options.checkEveryMs;
    if (!log.isFile || isFresh || !(await log.isGone())) return false;
    await this.#forget();
    return true;
  }

  async #rotate(log: OpenLog): Promise<void> {
    const { path, onFull } = this.#options;
    const lock = await takeLock(path);
    let mode: number | undefined;
    try {
      const present = await found(path);
      if (present?.ino === log.ino) {
        await rename(path, await this.#freeName());
        mode = present.mode & 0o777;
        // Made while the lock is held, in the mode of the old one.
        await (await openLog(path, mode)).close();
      }
    } finally {
      lock?.release();
    }
    await this.#forget();
    if (mode !== undefined) onFull();
  }

  async #freeName(): Promise<string> {
    for (let atMs = this.#options.now(); ; atMs++) {
      const name = backupPath(this.#options.path, atMs);
      if ((await found(name)) === undefined && (await found(compressedPath(name))) === undefined) return name;
    }
  }

  async #forget(): Promise<void> {
    const log = this.#log;
    this.#log = undefined;
    await log?.close().catch(() => undefined);
  }
}

/** How many lines, with their line feeds, have room. */
function fitting(lines: readonly Buffer[], from: number, room: number): number {
  let bytes = 0;
  for (let at = from; at < lines.length; at++) {
    bytes += (lines[at]?.length ?? 0) + 1;
    if (bytes > room) return at - from;
  }
  return lines.length - from;
}

/** Undefined on a file system without locks, or when a process holds it for too long: files are renamed then, too. */
async function takeLock(path: string): Promise<FileLock | undefined> {
  try {
    return await FileLock.take(join(dirname(path), `.${basename(path)}.lock`), lockMs);
  } catch {
    return undefined;
  }
}
