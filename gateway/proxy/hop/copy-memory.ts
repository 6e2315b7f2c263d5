import { Buffer } from 'node:buffer';
import type { Holdable, ReleaseMemory } from './read-memory.ts';

/**
 * malloc gives a block of this size its own mapping (`servers/launcher/child.ts`), so freeing it returns it to the
 * system.
 */
const blockBytes = 1024 * 1024;
/**
 * Size of a room, the part of a block that a single call uses, so that a slow call does not hold up memory of others.
 */
const roomBytes = 64 * 1024;

/** After a failed write its memory is not reused for this long: the socket may read it until it is closed. */
const afterFailureMs = 5_000;

/** A block of rooms for calls. Pages that were never written to take no memory. */
class Block {
  readonly bytes = Buffer.allocUnsafeSlow(blockBytes);
  readonly free = Array.from({ length: blockBytes / roomBytes }, (_, at) => at * roomBytes);
}

/**
 * Memory for copies of read bytes, used when slow clients hold much of the read memory. Separately allocated copies
 * would fragment the heap, and glibc never returns such holes; these blocks return to the system as soon as their calls
 * have ended, without waiting for the garbage collector.
 */
export class CopyMemory {
  /** Blocks with free rooms. */
  readonly #open = new Set<Block>();
  #blocks = 0;

  /** Number of blocks in use. */
  get blocks(): number {
    return this.#blocks;
  }

  room(): CopyRoom {
    const block = this.#open.values().next().value ?? this.#newBlock();
    const at = block.free.pop() as number;
    if (block.free.length === 0) this.#open.delete(block);
    return new CopyRoom(block.bytes.subarray(at, at + roomBytes), (failed) => {
      if (failed) setTimeout(() => this.#left(block, at), afterFailureMs).unref();
      else this.#left(block, at);
    });
  }

  #newBlock(): Block {
    const block = new Block();
    this.#blocks++;
    this.#open.add(block);
    return block;
  }

  #left(block: Block, at: number): void {
    block.free.push(at);
    this.#open.add(block);
    if (block.free.length < blockBytes / roomBytes) return;
    this.#open.delete(block);
    this.#blocks--;
    // Detaching the buffer frees its memory at once.
    block.bytes.buffer.transfer(0);
  }
}

/** The room for copies of one call, until it is full. */
export class CopyRoom implements Holdable {
  readonly #bytes: Buffer;
  readonly #left: (failed: boolean) => void;
  #used = 0;
  #holders = 0;
  #failed = false;
  #closed = false;
  readonly #release: ReleaseMemory = (error) => {
    if (error) this.#failed = true;
    this.#holders--;
    this.#leave();
  };

  constructor(bytes: Buffer, left: (failed: boolean) => void) {
    this.#bytes = bytes;
    this.#left = left;
  }

  get isFull(): boolean {
    return this.#used === this.#bytes.length;
  }

  /** Copies as many of the bytes as there is room for, and returns the copy. */
  copy(bytes: Buffer): Buffer {
    const copied = bytes.copy(this.#bytes, this.#used);
    return this.#bytes.subarray(this.#used, (this.#used += copied));
  }

  hold(): ReleaseMemory {
    this.#holders++;
    return this.#release;
  }

  /** Ends copying. The memory is freed once every holder has released it. */
  close(): void {
    this.#closed = true;
    this.#leave();
  }

  #leave(): void {
    if (this.#closed && this.#holders === 0) this.#left(this.#failed);
  }
}
