import type { MvccStore } from './store.ts';
import { refuse } from './etcd-errors.ts';

/** Rows that one commit deletes, beside the writes it carries. */
const rowsPerCommit = 1000;
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
    if (revision <= this.#store.compactRevision) throw refuse('compacted');
    if (revision > this.#store.revision) throw refuse('futureRevision');
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
    for (let at = 0; at < ids.length && !this.#stopped; at += rowsPerCommit) {
      // A full disk must not stop the removal that makes room: the rows stay, and the next start finds them again.
      await this.#store.write(() => {}, { deletedIds: ids.slice(at, at + rowsPerCommit) }).catch(() => {});
    }
  }

  async #giveBack(): Promise<void> {
    for (let free = this.#store.sizes.freeBytes; free > 0 && !this.#stopped; ) {
      await this.#store.maintain({ kind: 'shrink', pages: pagesPerShrink });
      const rest = this.#store.sizes.freeBytes;
      if (rest >= free) break;
      free = rest;
    }
  }
}
