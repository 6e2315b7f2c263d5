import { randomFillSync } from 'node:crypto';
import { closeSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const mebibyte = 1024 * 1024;
/** Number of bytes that {@link SpaceReserve.grow} adds in one call. */
export const reservePartBytes = mebibyte;
const pieceBytes = 64 * 1024;
const largestBytes = 16 * mebibyte;
/** Smallest reserve: about what a checkpoint of the write-ahead log needs on a full disk. */
const smallestBytes = 4 * mebibyte;

/** Size of the reserve for a folder: 1 % of its file system, within bounds. */
export function reserveBytesFor(folder: string): number {
  return Math.min(largestBytes, Math.max(smallestBytes, Math.floor(sizeOf(folder) / 100)));
}

/** 0 where the file system does not tell. */
function sizeOf(folder: string): number {
  try {
    const { blocks, bsize } = statfsSync(folder);
    return blocks * bsize;
  } catch {
    return 0;
  }
}

/** Bytes that this user may still write on the file system of a folder. */
export function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * A file beside the database that only occupies disk space. It is deleted when the disk is full, so that deletions,
 * compactions and the alarm can still be written, and created again when there is room.
 */
export class SpaceReserve {
  readonly #path: string;
  readonly #bytes: number;
  #there: number;

  /** @param bytes size of the reserve; with 0 there is none */
  constructor(path: string, bytes: number) {
    this.#path = path;
    this.#bytes = bytes;
    this.#there = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Whether the reserve has its full size. */
  get isWhole(): boolean {
    return this.#there >= this.#bytes;
  }

  /**
   * Adds a part to the reserve, if the disk has room for the rest of it and its full size again. Commits wait for one
   * part only.
   */
  grow(): void {
    if (this.isWhole || freeBytesOf(dirname(this.#path)) < 2 * this.#bytes - this.#there) return;
    const file = openSync(this.#path, 'a', 0o600);
    // A small buffer that is reused: V8 frees memory outside its heap late, so larger ones would add up.
    const piece = Buffer.allocUnsafe(pieceBytes);
    const end = Math.min(this.#there + reservePartBytes, this.#bytes);
    try {
      // Random bytes, because a file system that compresses, or omits zeros, would otherwise reserve no space.
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
