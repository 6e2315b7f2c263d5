import { Buffer } from 'node:buffer';

const slabBytes = 256 * 1024;
/** Shortest buffer for a read. A slab with less space left gets no more reads. */
const shortestRoom = 64 * 1024;
/** Largest number of free slabs that a connection keeps for reuse. */
const maxFree = 16;
/**
 * From this number of full slabs in use, a connection counts as crowded: a slow client that holds a few bytes of a slab
 * keeps all of it.
 */
const maxNeeded = 64;

/** Releases bytes that are no longer needed. After an error they may still be read, so their memory is not reused. */
export type ReleaseMemory = (error?: Error | null) => void;

/** Memory that is reused when all its holders have released it. */
export interface Holdable {
  hold(): ReleaseMemory;
}

/** Memory that several reads share. */
class Slab implements Holdable {
  readonly bytes = Buffer.allocUnsafeSlow(slabBytes);
  /** Number of holders that have not released the slab yet. */
  held = 0;
  /** Whether a user keeps bytes of the slab without releasing them; the garbage collector then frees it. */
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
 * Memory for the reads of a connection, which is reused. Without reuse, a large answer would allocate its whole length,
 * and collecting that costs as much as encrypting it. A user of the bytes either holds the memory and releases it, or
 * keeps it for good.
 */
export class ReadMemory {
  #slab: Slab | undefined;
  #used = 0;
  readonly #free: Slab[] = [];
  #needed = 0;
  readonly #collected = new FinalizationRegistry<void>(() => this.#needed--);

  /** Whether so much read memory is in use that bytes needed for long must be copied. */
  get isCrowded(): boolean {
    return this.#needed >= maxNeeded;
  }

  /** The buffer for the next read. */
  room(): Buffer {
    if (this.#slab === undefined || slabBytes - this.#used < shortestRoom) this.#slab = this.#next(this.#slab);
    return this.#slab.bytes.subarray(this.#used);
  }

  /** Records how many bytes were read into the room. */
  filled(bytes: number): void {
    this.#used += bytes;
  }

  /** The memory of the last read; undefined before the first. */
  get last(): Holdable | undefined {
    return this.#slab;
  }

  /** Keeps the memory of the last read for a user that does not release it. */
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

  /** Called when a full slab has no holder left. */
  #unused(slab: Slab): void {
    if (slab.kept) return this.#collected.register(slab.bytes.buffer, undefined);
    this.#needed--;
    if (this.#free.length < maxFree) this.#free.push(slab);
  }
}
