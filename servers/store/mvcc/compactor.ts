import { setTimeout as pause } from 'node:timers/promises';
import { DiskFullError } from './commit-thread.ts';
import { isNoSpace, refuseRequest } from './etcd-errors.ts';
import { LogDamagedError } from './log-damage.ts';
import type { MvccStore } from './store.ts';

/** Rows that one commit deletes, beside the writes it carries. */
const rowsPerCommit = 1000;
const fewestRows = 20;
/** Pauses before a removal that failed on a full disk is tried again. */
const firstPauseMs = 50;
const longestPauseMs = 2000;
/** Pages given back to the file system at a time (1 MiB). */
const pagesPerShrink = 256;

/** Removes what compactions make unreachable, in slices between which the store answers. */
export class Compactor {
  readonly #store: MvccStore;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(store: MvccStore) {
    this.#store = store;
  }

  /**
   * Compacts at a revision.
   * @returns when the revisions are gone for clients; `finished` when they are gone from the file
   * @throws EtcdRpcError
   */
  async compact(revision: number): Promise<{ finished: Promise<void> }> {
    if (revision <= this.#store.compactRevision) throw refuseRequest('compacted');
    if (revision > this.#store.revision) throw refuseRequest('futureRevision');
    await this.#store.compactTo(revision);
    return { finished: this.resume() };
  }

  /** Goes on with a compaction that a restart interrupted. */
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

  /** Trims one leaf's worth of entries; the result is where the next one starts. */
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
        // Of a damaged file nothing is removed: the rows stay, and the next start finds them again.
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
        // Pages that stay in the file are used by the next writes.
        if (error instanceof DiskFullError || error instanceof LogDamagedError) return;
        throw error;
      }
      const rest = this.#store.sizes.freeBytes;
      if (rest >= free) break;
      free = rest;
    }
  }
}
