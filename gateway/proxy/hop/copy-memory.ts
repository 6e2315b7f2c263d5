import { Buffer } from 'node:buffer';
import type { Holdable, ReleaseMemory } from './read-memory.ts';

/** Memory of this size is a mapping of its own (`servers/launcher/child.ts`): the system gets it back as a whole. */
const blockBytes = 1024 * 1024;
/** As much of it is one call's alone; what it holds of it holds up nobody else's. */
const roomBytes = 64 * 1024;

/** What a write that failed may still read is left alone for so long: its socket is closed in the next turns. */
const afterFailureMs = 5_000;

/** Rooms of calls. Pages of it that were never written to take no memory. */
class Block {
  readonly bytes = Buffer.allocUnsafeSlow(blockBytes);
  readonly free = Array.from({ length: blockBytes / roomBytes }, (_, at) => at * roomBytes);
}

/**
 * Memory for copies of what was read, where clients that take nothing hold much of it. Each copy in memory of its own
 * would leave holes between everything that lives longer, which glibc never gives back; here all of it goes back to the
 * system as soon as the calls are over, without a wait for the garbage collector.
 */
export class CopyMemory {
  /** With free rooms. */
  readonly #open = new Set<Block>();
  #blocks = 0;

  /** Blocks that are in use. */
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
    // Detached memory has no owner left: it is freed at once.
    block.bytes.buffer.transfer(0);
  }
}

/** Where the copies of one call go, until it is full. */
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

  /** As much of the bytes as there is room for. */
  copy(bytes: Buffer): Buffer {
    const copied = bytes.copy(this.#bytes, this.#used);
    return this.#bytes.subarray(this.#used, (this.#used += copied));
  }

  hold(): ReleaseMemory {
    this.#holders++;
    return this.#release;
  }

  /** Ends copying. The memory is free once nobody uses a copy any more. */
  close(): void {
    this.#closed = true;
    this.#leave();
  }

  #leave(): void {
    if (this.#closed && this.#holders === 0) this.#left(this.#failed);
  }
}
