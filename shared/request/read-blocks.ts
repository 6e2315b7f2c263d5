import { Buffer } from 'node:buffer';

export const blockBytes = 64 * 1024;

/** Free blocks that are kept: 4 MiB. */
const maxFree = 64;
const free: Buffer[] = [];

/**
 * Memory that received bytes are read to and written from. It is used again by any connection of the process when its
 * reader has left it and all of it is written: buffers that are allocated for each read keep V8's collector busy.
 */
export class ReadBlock {
  readonly bytes = free.pop() ?? Buffer.allocUnsafeSlow(blockBytes);
  #uses = 1;

  /** Another part of the block is being written. */
  use(): void {
    this.#uses++;
  }

  /** The reader has left the block, or a part of it is written. */
  release(): void {
    if (--this.#uses === 0 && free.length < maxFree) free.push(this.bytes);
  }
}
