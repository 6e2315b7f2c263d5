import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { systemId, tipTrustedMs, type TipOffer } from './tip-offer.ts';
import { revisionBytes, tipBytes, TipRecord } from './tip-record.ts';

/** Reads that met a half-written revision, one after the other, before the store is asked instead. */
const attempts = 3;

/**
 * Reads the newest acknowledged revision of an embedded store from the file that it offers, in place of asking it.
 *
 * The store writes the file before it tells anybody of a revision. So a revision that is read here is as new as every
 * write that was acknowledged before, if the store that will acknowledge the next write has this file. A store that
 * answers with the offer of a file promises that for {@link tipTrustedMs}, also for its successor. After that it is
 * asked again, which also finds out whether it is alive.
 */
export class TipReader {
  readonly #record = new TipRecord();
  readonly #now: () => number;
  #offer: TipOffer | undefined;
  #file: number | undefined;
  #trustedUntilMs = 0;

  constructor(now = (): number => performance.now()) {
    this.#now = now;
  }

  /** Undefined if the store has to be asked. */
  newest(): number | undefined {
    if (this.#file === undefined || this.#now() >= this.#trustedUntilMs) return undefined;
    const revision = this.#read(this.#file);
    // The process may have been stopped meanwhile.
    return this.#now() < this.#trustedUntilMs ? revision : undefined;
  }

  /**
   * Takes what a store answered to a request that was sent at `sentAtMs`. Undefined: it offers no file. Answers must be
   * taken in the order of their requests.
   */
  take(offer: TipOffer | undefined, sentAtMs: number): void {
    if (!isSame(offer, this.#offer)) {
      this.close();
      this.#offer = offer;
      if (offer !== undefined) this.#file = this.#open(offer);
    }
    this.#trustedUntilMs = sentAtMs + tipTrustedMs;
  }

  /** Believes the file no longer, until the next answer. */
  distrust(): void {
    this.#trustedUntilMs = 0;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#offer = undefined;
  }

  /** Opens the file if it is the store's: of this system, by device and inode, and with the random number. */
  #open({ path, device, inode, nonce, system }: TipOffer): number | undefined {
    if (system === '' || system !== systemId()) return undefined;
    let file: number | undefined;
    try {
      file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      const found = fstatSync(file, { bigint: true });
      readSync(file, this.#record.bytes, 0, tipBytes, 0);
      if (String(found.dev) === device && String(found.ino) === inode && this.#record.hasNonce(nonce)) return file;
    } catch {
      // It is of another user, or of another view of the file system: the store is asked.
    }
    if (file !== undefined) closeSync(file);
    return undefined;
  }

  #read(file: number): number | undefined {
    try {
      for (let left = attempts; left > 0; left--) {
        if (readSync(file, this.#record.bytes, 0, revisionBytes, 0) !== revisionBytes) return undefined;
        const revision = this.#record.revision();
        if (revision !== undefined) return revision;
      }
    } catch {
      // The store is asked.
    }
    return undefined;
  }
}

function isSame(one: TipOffer | undefined, other: TipOffer | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.path === other.path && Buffer.compare(one.nonce, other.nonce) === 0;
}
