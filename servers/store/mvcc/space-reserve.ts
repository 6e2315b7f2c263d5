import { randomFillSync } from 'node:crypto';
import { closeSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const mebibyte = 1024 * 1024;
/** What {@link SpaceReserve.grow} makes at a time. */
export const reservePartBytes = mebibyte;
const pieceBytes = 64 * 1024;
const largestBytes = 16 * mebibyte;
/** A checkpoint of the write-ahead log needs about as much when the disk became full since the one before. */
const smallestBytes = 4 * mebibyte;

/** How large a reserve is on the file system of a folder: 1 % of it, within bounds. */
export function reserveBytesFor(folder: string): number {
  const { blocks, bsize } = statfsSync(folder);
  return Math.min(largestBytes, Math.max(smallestBytes, Math.floor((blocks * bsize) / 100)));
}

/** Bytes that this user may still write on the file system of a folder. */
export function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * A file beside the database that holds nothing but room. It is removed when the disk is full, so that deletions,
 * compactions and the alarm itself can still be written, and made again when there is room.
 */
export class SpaceReserve {
  readonly #path: string;
  readonly #bytes: number;
  #there: number;

  /** @param bytes its size; 0: there is none, and that is enough */
  constructor(path: string, bytes: number) {
    this.#path = path;
    this.#bytes = bytes;
    this.#there = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Nothing is missing of it. */
  get isWhole(): boolean {
    return this.#there >= this.#bytes;
  }

  /**
   * Makes a part of it, so that commits need not wait for all of it, where there is room for the rest and as much
   * again.
   */
  grow(): void {
    if (this.isWhole || freeBytesOf(dirname(this.#path)) < 2 * this.#bytes - this.#there) return;
    const file = openSync(this.#path, 'a', 0o600);
    // A small one: memory outside the heap is collected late, and the whole reserve would stand in it.
    const piece = Buffer.allocUnsafe(pieceBytes);
    const end = Math.min(this.#there + reservePartBytes, this.#bytes);
    try {
      // Random, for a file system that compresses or leaves out zeros would keep nothing free for it.
      while (this.#there < end)
        this.#there += writeSync(file, randomFillSync(piece), 0, Math.min(pieceBytes, end - this.#there));
    } finally {
      closeSync(file);
    }
  }

  giveUp(): void {
    rmSync(this.#path, { force: true });
    this.#there = 0;
  }
}
