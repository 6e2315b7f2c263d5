import type { CommitResult } from './commit-batch.ts';

/** Places in the shared memory, in words of four bytes. */
const wakes = 0;
const asked = 1;
const answered = 2;
const flags = 3;
/** In float64: the sizes in the answer. */
const fileBytes = 2;
const freeBytes = 3;
const rowsAt = 32;
/** The largest packed batch that crosses here. */
const rowsBytes = 64 * 1024;

const sealed = 1;
const reserved = 2;
const tipStale = 4;
const isMessage = 8;

/**
 * Memory that the thread that commits shares with the main thread of the store. A small batch of rows crosses there,
 * one at a time, and so does its answer: a message each way costs both threads more processor time than the commit of a
 * lone row. Other tasks are messages, for which {@link CommitSlot.wake} wakes the thread.
 */
export class CommitSlot {
  readonly memory: SharedArrayBuffer;
  /** Where packed rows go. */
  readonly rows: Uint8Array;
  readonly #words: Int32Array;
  readonly #sizes: Float64Array;

  /** @param memory that of the other thread's; default: new memory */
  constructor(memory = new SharedArrayBuffer(rowsAt + rowsBytes)) {
    this.memory = memory;
    this.rows = new Uint8Array(memory, rowsAt);
    this.#words = new Int32Array(memory, 0, rowsAt / 4);
    this.#sizes = new Float64Array(memory, 0, rowsAt / 8);
  }

  /** Main thread: asks for a commit of {@link rows}. Resolves to the answer; to undefined if that is a message. */
  async ask(): Promise<CommitResult | undefined> {
    const before = Atomics.load(this.#words, answered);
    Atomics.add(this.#words, asked, 1);
    this.wake();
    await Atomics.waitAsync(this.#words, answered, before).value;
    return this.#result();
  }

  /** Main thread: wakes the other one, for a message. */
  wake(): void {
    Atomics.add(this.#words, wakes, 1);
    Atomics.notify(this.#words, wakes);
  }

  /** Thread that commits: whether a commit was asked for that is not answered. */
  get isAsked(): boolean {
    return Atomics.load(this.#words, asked) !== Atomics.load(this.#words, answered);
  }

  /** Thread that commits: waits until it is woken. Returns the number of times so far, for the next call. */
  wait(seen: number): number {
    Atomics.wait(this.#words, wakes, seen);
    return Atomics.load(this.#words, wakes);
  }

  /** Thread that commits: answers the commit; without a result, the answer is a message. */
  answer(result?: CommitResult): void {
    this.#words[flags] =
      result === undefined
        ? isMessage
        : (result.sealed ? sealed : 0) | (result.reserved ? reserved : 0) | (result.isTipStale === true ? tipStale : 0);
    this.#sizes[fileBytes] = result?.fileBytes ?? 0;
    this.#sizes[freeBytes] = result?.freeBytes ?? 0;
    Atomics.add(this.#words, answered, 1);
    Atomics.notify(this.#words, answered);
  }

  #result(): CommitResult | undefined {
    const set = this.#words[flags] ?? 0;
    if (set === isMessage) return undefined;
    return {
      fileBytes: this.#sizes[fileBytes] ?? 0,
      freeBytes: this.#sizes[freeBytes] ?? 0,
      sealed: (set & sealed) !== 0,
      reserved: (set & reserved) !== 0,
      ...((set & tipStale) === 0 ? {} : { isTipStale: true }),
    };
  }
}
