import { StorageError } from '#shared/storage/storage.ts';
import type {
  CasResult,
  StoredKeyValue,
  StorageListOptions,
  ListResult,
  Storage,
  StorageEvent,
  StorageWatch,
  StorageWatchHandlers,
  StorageWatchOptions,
  TransactionOp,
} from '#shared/storage/storage.ts';

interface MemoryWatch {
  readonly prefix: string;
  readonly handlers: StorageWatchHandlers;
  readonly onlyDeletions: boolean;
  nextRevision: number;
}

/** {@link Storage} in memory, for unit tests only: one history in an array, watches served in the next turn. */
export class MemoryStorage implements Storage {
  #revision = 1;
  #compacted = 0;
  #events: StorageEvent[] = [];
  readonly #watches = new Set<MemoryWatch>();
  #scheduled = false;
  /** While true, watches get no events, so that a cache lags behind. */
  holdWatches = false;
  listCalls = 0;
  resumeRevision = 0;

  async get(key: string): Promise<{ readonly kv?: StoredKeyValue; readonly revision: number }> {
    const kv = this.#stateAt(this.#revision).get(key);
    return { ...(kv === undefined ? {} : { kv }), revision: this.#revision };
  }

  async list(prefix: string, options: StorageListOptions = {}): Promise<ListResult> {
    this.listCalls += 1;
    const revision = options.revision ?? 0;
    if (revision > this.#revision) throw new StorageError('FutureRevision', 'future revision');
    if (revision > 0 && revision < this.#compacted)
      throw new StorageError('Compacted', 'compacted', { revision: this.#compacted });
    const at = revision === 0 ? this.#revision : revision;
    const start = options.startKey ?? prefix;
    const all = [...this.#stateAt(at).values()].filter((kv) => kv.key.startsWith(prefix) && kv.key >= start);
    all.sort((a, b) => (a.key < b.key ? -1 : 1));
    if (options.onlyCount === true) return { items: [], revision: at, count: all.length, more: all.length > 0 };
    const page = options.limit === undefined || options.limit === 0 ? all : all.slice(0, options.limit);
    const items = options.onlyKeys === true ? page.map((kv) => ({ ...kv, value: new Uint8Array() })) : page;
    return { items, revision: at, count: all.length, more: items.length < all.length };
  }

  async create(key: string, value: Uint8Array): Promise<{ readonly revision: number }> {
    const result = await this.compareAndSwap(key, 0, value);
    if (!result.ok) throw new StorageError('KeyExists', 'key exists', { key });
    return { revision: result.revision };
  }

  async compareAndSwap(key: string, expectedRevision: number, value: Uint8Array): Promise<CasResult> {
    const result = await this.transact([{ key, expectedRevision, value }]);
    return result.ok ? result : this.#refused(key);
  }

  async compareAndDelete(key: string, expectedRevision: number): Promise<CasResult> {
    const result = await this.transact([{ key, expectedRevision }]);
    return result.ok ? result : this.#refused(key);
  }

  async transact(
    ops: readonly TransactionOp[],
  ): Promise<
    | { readonly ok: true; readonly revision: number }
    | { readonly ok: false; readonly failedKey: string; readonly revision: number }
  > {
    const state = this.#stateAt(this.#revision);
    const failed = ops.find(
      (op) => op.expectedRevision !== undefined && (state.get(op.key)?.modRevision ?? 0) !== op.expectedRevision,
    );
    if (failed !== undefined) return { ok: false, failedKey: failed.key, revision: this.#revision };
    const revision = ++this.#revision;
    for (const { key, value, checkOnly } of ops) {
      if (checkOnly === true) continue;
      const createRevision = state.get(key)?.createRevision ?? revision;
      this.#events.push(
        value === undefined
          ? { type: 'delete', key, revision }
          : { type: 'put', kv: { key, value, createRevision, modRevision: revision, lease: '' } },
      );
    }
    this.#schedule();
    return { ok: true, revision };
  }

  get writtenRevision(): number {
    return this.#revision;
  }

  async currentRevision(): Promise<number> {
    return this.#revision;
  }

  watch(
    prefix: string,
    fromRevision: number,
    handlers: StorageWatchHandlers,
    { onlyDeletions = false }: StorageWatchOptions = {},
  ): StorageWatch {
    const watch = { prefix, handlers, onlyDeletions, nextRevision: fromRevision };
    this.#watches.add(watch);
    this.#schedule();
    const isOpen = (): boolean => this.#watches.has(watch);
    return {
      get isOpen() {
        return isOpen();
      },
      close: () => void this.#watches.delete(watch),
    };
  }

  requestProgress(): void {
    setImmediate(() => {
      if (this.holdWatches) return;
      this.#serve();
      for (const watch of this.#watches) watch.handlers.onProgress(this.#revision);
    });
  }

  async databaseBytes(): Promise<number> {
    return 0;
  }

  async compactedRevision(): Promise<number> {
    return this.#compacted;
  }

  async compact(revision: number): Promise<void> {
    this.#compacted = revision;
    const kept = [...this.#stateAt(revision).values()].map((kv): StorageEvent => ({ type: 'put', kv }));
    this.#events = [...kept, ...this.#events.filter((event) => revisionOf(event) > revision)];
  }

  /** Ends the watches as if etcd had compacted revisions that they have not seen. */
  breakWatches(): void {
    for (const watch of this.#watches) {
      this.#watches.delete(watch);
      watch.handlers.onError(new StorageError('Compacted', 'compacted', { revision: this.#compacted }));
    }
  }

  releaseWatches(): void {
    this.holdWatches = false;
    this.#schedule();
  }

  async ready(): Promise<void> {
    if (this.resumeRevision === 0) this.resumeRevision = this.#revision;
  }

  async close(): Promise<void> {
    this.#watches.clear();
  }

  async #refused(key: string): Promise<CasResult> {
    const { kv, revision } = await this.get(key);
    return kv === undefined ? { ok: false, revision } : { ok: false, revision, current: kv };
  }

  #stateAt(revision: number): Map<string, StoredKeyValue> {
    const state = new Map<string, StoredKeyValue>();
    for (const event of this.#events) {
      if (revisionOf(event) > revision) break;
      if (event.type === 'put') state.set(event.kv.key, event.kv);
      else state.delete(event.key);
    }
    return state;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (!this.holdWatches) this.#serve();
    });
  }

  #serve(): void {
    for (const watch of this.#watches) {
      const events = this.#events.filter(
        (event) =>
          revisionOf(event) >= watch.nextRevision &&
          keyOf(event).startsWith(watch.prefix) &&
          !(watch.onlyDeletions && event.type === 'put'),
      );
      const last = events.at(-1);
      if (last === undefined) continue;
      watch.nextRevision = revisionOf(last) + 1;
      watch.handlers.onEvents(events, revisionOf(last));
    }
  }
}

function revisionOf(event: StorageEvent): number {
  return event.type === 'put' ? event.kv.modRevision : event.revision;
}

function keyOf(event: StorageEvent): string {
  return event.type === 'put' ? event.kv.key : event.key;
}
