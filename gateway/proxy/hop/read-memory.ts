import { Buffer } from 'node:buffer';

const slabBytes = 256 * 1024;
/** A read is offered at least this much; what a slab has less of is left. */
const shortestRoom = 64 * 1024;
/** Slabs of a connection that wait to be filled again. */
const mostFree = 16;
/**
 * Slabs of a connection that are full and needed: a client that takes a little of one, and nothing of that, holds all
 * of it.
 */
const mostNeeded = 64;

/** Tells that bytes are no longer needed. After an error nobody knows who still reads them. */
export type ReleaseMemory = (error?: Error | null) => void;

/** Memory that is filled again when all who hold it have released it. */
export interface Holdable {
  hold(): ReleaseMemory;
}

/** Memory that several reads share. */
class Slab implements Holdable {
  readonly bytes = Buffer.allocUnsafeSlow(slabBytes);
  /** Those who will say when they are through. */
  held = 0;
  /** Somebody has a part of it who will not say when he is through: the garbage collector finds out. */
  kept = false;
  filling = true;
  readonly #unused: (slab: Slab) => void;
  readonly #release: ReleaseMemory = (error) => {
    if (error) this.kept = true;
    if (--this.held === 0 && !this.filling) this.#unused(this);
  };

  constructor(unused: (slab: Slab) => void) {
    this.#unused = unused;
  }

  hold(): ReleaseMemory {
    this.held++;
    return this.#release;
  }
}

/**
 * Memory for the reads of a connection, which is reused. Otherwise all of a large answer would be new memory, whose
 * collection costs as much as encrypting it. A user of the bytes either holds the memory until it is done, or keeps it
 * for good.
 */
export class ReadMemory {
  #slab: Slab | undefined;
  #used = 0;
  readonly #free: Slab[] = [];
  #needed = 0;
  readonly #collected = new FinalizationRegistry<void>(() => this.#needed--);

  /** So much of the read memory is in use that users which need new bytes for long must copy them. */
  get isCrowded(): boolean {
    return this.#needed >= mostNeeded;
  }

  /** Where the next read goes. */
  room(): Buffer {
    if (this.#slab === undefined || slabBytes - this.#used < shortestRoom) this.#slab = this.#next(this.#slab);
    return this.#slab.bytes.subarray(this.#used);
  }

  /** So many bytes of the room were read. */
  filled(bytes: number): void {
    this.#used += bytes;
  }

  /** Where that which was read last lies; undefined for what was read elsewhere. */
  get last(): Holdable | undefined {
    return this.#slab;
  }

  /** What was read last is needed, nobody will say how long. */
  keep(): void {
    if (this.#slab !== undefined) this.#slab.kept = true;
  }

  #next(before: Slab | undefined): Slab {
    this.#used = 0;
    if (before !== undefined) {
      if (before.held === 0 && !before.kept) return before;
      before.filling = false;
      this.#needed++;
      if (before.held === 0) this.#unused(before);
    }
    const slab = this.#free.pop() ?? new Slab((unused) => this.#unused(unused));
    slab.filling = true;
    return slab;
  }

  /** Nobody is left who will say that he is through. */
  #unused(slab: Slab): void {
    if (slab.kept) return this.#collected.register(slab.bytes.buffer, undefined);
    this.#needed--;
    if (this.#free.length < mostFree) this.#free.push(slab);
  }
}
