import { randomBytes } from 'node:crypto';
import { closeSync, constants, existsSync, fstatSync, fsyncSync, openSync } from 'node:fs';
import { readSync, statfsSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { usingFile } from '#shared/files/unusable-file.ts';
import { systemId, tipForgottenMs, type TipOffer } from '#shared/storage/tip/tip-offer.ts';
import { tipBytes, TipRecord } from '#shared/storage/tip/tip-record.ts';
import { ignoringFullDisk } from './durable-tip.ts';
import type { LogPaths } from './log-file.ts';

const nonceBytes = 16;
/** The revision of a store in which nothing was written. */
const firstRevision = 1;

/**
 * File systems of this machine's own, by their `f_type` (statfs(2)): all processes see what one of them wrote at once,
 * and reading a page that is in memory waits for nobody. ext2 to 4, XFS, Btrfs, tmpfs, overlayfs, ZFS, F2FS.
 */
const ownFileSystems: ReadonlySet<number> = new Set([
  0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994, 0x794c_7630, 0x2fc1_2fc1, 0xf2f5_2010,
]);

/**
 * `store.tip` for the servers of this machine, which read the newest acknowledged revision there
 * (`shared/storage/tip`). The thread that commits writes it before anybody hears of a revision. Whoever was offered the
 * file trusts it for a moment after this process has died, so the next one either goes on in the same file, or serves
 * nobody until then.
 */
export class ServedTip {
  #file: number | undefined;
  /** Whether readers of an earlier process may have another file. */
  readonly #hasStrangers: boolean;
  #offer: TipOffer | undefined;
  #withdrawn: Promise<void> | undefined;

  private constructor(file: number | undefined, hasStrangers: boolean, offer: TipOffer | undefined) {
    this.#file = file;
    this.#hasStrangers = hasStrangers;
    this.#offer = offer;
  }

  /**
   * Opens the file, and writes the revision of the database to it.
   * @param isDurable whether commits wait for the disk
   * @throws UnusableFileError
   */
  static open({ tip, database }: LogPaths, revision: number, isDurable: boolean): ServedTip {
    return usingFile(tip, () => {
      const file = ignoringFullDisk(() => openSync(tip, constants.O_RDWR | constants.O_CREAT, 0o600));
      const wasWritten = revision > firstRevision;
      if (file === undefined) return new ServedTip(file, wasWritten, undefined);
      const { dev: device, ino: inode } = fstatSync(file, { bigint: true });
      const record = new TipRecord();
      const found = readSync(file, record.bytes, 0, tipBytes, 0);
      const isOurs = found === tipBytes && record.isIn({ device, inode });
      // Rows that an earlier process wrote just before it was killed may not be on the disk, which this file states.
      if (isDurable && wasWritten && record.durableRevision() !== revision) flush(`${database}-wal`);
      const nonce = randomBytes(nonceBytes);
      record.setRevision(revision, isDurable);
      record.setOwner({ device, inode }, nonce);
      const isWritten = ignoringFullDisk(() => writeSync(file, record.bytes, 0, tipBytes, 0)) === tipBytes;
      const mayOffer = isWritten && ownFileSystems.has(statfsSync(tip).type) && systemId() !== '';
      const offer = { path: resolve(tip), device: String(device), inode: String(inode), nonce, system: systemId() };
      return new ServedTip(file, wasWritten && !(isOurs && isWritten), mayOffer ? offer : undefined);
    });
  }

  /** The open file; undefined if the disk is too full for it. */
  get file(): number | undefined {
    return this.#file;
  }

  /** What readers are told; undefined if they have to ask each time. */
  get offer(): TipOffer | undefined {
    return this.#offer;
  }

  /** Resolves when the first write may be acknowledged. */
  async readersKnown(): Promise<void> {
    if (this.#hasStrangers) await sleep(tipForgottenMs);
  }

  /** After a revision could not be written: resolves when nobody trusts the file any more. */
  withdraw(): Promise<void> {
    this.#offer = undefined;
    return (this.#withdrawn ??= sleep(tipForgottenMs));
  }

  /** To be called when the thread has ended. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

function flush(path: string): void {
  if (!existsSync(path)) return;
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
