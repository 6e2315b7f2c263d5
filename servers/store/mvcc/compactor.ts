import { setTimeout as pause } from 'node:timers/promises';
import { DiskFullError } from './commit-thread.ts';
import { isNoSpace, refuseRequest } from './etcd-errors.ts';
import { LogDamagedError } from './log-damage.ts';
import type { Marks } from './marks.ts';
import type { MvccStore } from './store.ts';

/** Largest number of rows that a compaction deletes in one commit. */
const rowsPerCommit = 1000;
const fewestRows = 20;
/** First pause before a removal that failed on a full disk is tried again; it doubles up to the longest pause. */
const firstPauseMs = 50;
const longestPauseMs = 2000;
/** Number of pages that are returned to the file system at a time (1 MiB). */
const pagesPerShrink = 256;

/** Removes the versions that compactions make unreachable, in slices between which the store handles requests. */
export class Compactor {
  readonly #store: MvccStore;
  readonly #marks: Marks;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(store: MvccStore, marks: Marks) {
    this.#store = store;
    this.#marks = marks;
  }

  /**
   * Compacts at a revision; no further than the oldest mark, which needs what comes after it.
   * @returns resolves when clients can no longer read the revisions; `finished` when the rows are removed from the file
   * @throws EtcdRpcError
   */
  async compact(revision: number): Promise<{ finished: Promise<void> }> {
    if (revision <= this.#store.compactRevision) throw refuseRequest('compacted');
    if (revision > this.#store.revision) throw refuseRequest('futureRevision');
    const allowed = this.#marks.compactable(revision);
    if (allowed <= this.#store.compactRevision) return { finished: this.#running };
    await this.#store.compactTo(allowed);
    return { finished: this.resume() };
  }

  /** Continues a compaction that a restart interrupted. */
  resume(): Promise<void> {
    this.#running = this.#running.then(() => this.#sweep());
    return this.#running;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #sweep(): Promise<void> {
    const store = this.#store;
    const revision = store.compactRevision;
    if (revision < 0) return;
    let from: string | undefined = '';
    let dropped: number[] = [];
    let removedAny = false;
    while (from !== undefined && !this.#stopped) {
      from = this.#sweepLeaf(from, revision, dropped);
      if (dropped.length >= rowsPerCommit || (from === undefined && dropped.length > 0)) {
        removedAny = true;
        await this.#remove(dropped);
        dropped = [];
      } else {
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    if (removedAny) await this.#giveBack();
  }

  /** Compacts the entries of one leaf; returns the key where the next leaf starts. */
  #sweepLeaf(from: string, revision: number, dropped: number[]): string | undefined {
    const entries = this.#store.index.slice(from);
    for (const entry of entries) {
      if (!entry.compact(revision, dropped)) this.#store.index.remove(entry.key);
    }
    const last = entries.at(-1);
    return last === undefined ? undefined : `${last.key}\0`;
  }

  async #remove(ids: readonly number[]): Promise<void> {
    let pauseMs = firstPauseMs;
    let slice = rowsPerCommit;
    for (let at = 0; at < ids.length && !this.#stopped;) {
      try {
        await this.#store.write(() => {}, { deletedIds: ids.slice(at, at + slice) });
        at += slice;
        pauseMs = firstPauseMs;
      } catch (error) {
        // From a damaged file nothing is removed: the rows stay, and the next start tries again.
        if (!isNoSpace(error)) return;
        // Removing rows frees space, but needs some first: on a full disk a smaller slice may still succeed.
        slice = Math.max(fewestRows, Math.floor(slice / 2));
        await pause(pauseMs);
        pauseMs = Math.min(2 * pauseMs, longestPauseMs);
      }
    }
  }

  async #giveBack(): Promise<void> {
    for (let free = this.#store.sizes.freeBytes; free > 0 && !this.#stopped;) {
      try {
        await this.#store.maintain({ kind: 'shrink', pages: pagesPerShrink });
      } catch (error) {
        // Free pages may stay in the file: later writes use them.
        if (error instanceof DiskFullError || error instanceof LogDamagedError) return;
        throw error;
      }
      const rest = this.#store.sizes.freeBytes;
      if (rest >= free) break;
      free = rest;
    }
  }
}
