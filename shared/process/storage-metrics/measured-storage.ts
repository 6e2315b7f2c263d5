import type { CasResult, ListResult, Storage, StorageListOptions, StorageWatch } from '#shared/storage/storage.ts';
import { StorageError } from '#shared/storage/storage.ts';
import type { CallOperation } from '#shared/watchcache/storage-calls.ts';
import type { ResourceCalls } from './resource-calls.ts';

/**
 * Storage whose calls are counted for the resource of their keys, in the families of the reference. Reads of the newest
 * revision pass as they are: the caches that wait for them count them (`shared/watchcache/fresh-reads.ts`).
 */
export class MeasuredStorage implements Storage {
  readonly #storage: Storage;
  readonly #callsOf: (key: string) => ResourceCalls;

  constructor(storage: Storage, callsOf: (key: string) => ResourceCalls) {
    this.#storage = storage;
    this.#callsOf = callsOf;
  }

  get(key: string): ReturnType<Storage['get']> {
    return this.#measured(key, 'get', this.#storage.get(key));
  }

  async list(prefix: string, options?: StorageListOptions): Promise<ListResult> {
    const isCount = options?.onlyCount === true;
    const listing = this.#storage.list(prefix, options);
    const result = await this.#measured(prefix, isCount ? 'listWithCount' : 'list', listing);
    if (!isCount) this.#callsOf(prefix).lists.add(result.items.length);
    return result;
  }

  create(...[key, value, options]: Parameters<Storage['create']>): ReturnType<Storage['create']> {
    return this.#measured(key, 'create', this.#storage.create(key, value, options));
  }

  compareAndSwap(...[key, revision, value, options]: Parameters<Storage['compareAndSwap']>): Promise<CasResult> {
    return this.#measured(key, 'update', this.#storage.compareAndSwap(key, revision, value, options));
  }

  compareAndDelete(key: string, expectedRevision: number): Promise<CasResult> {
    return this.#measured(key, 'delete', this.#storage.compareAndDelete(key, expectedRevision));
  }

  transact(ops: Parameters<Storage['transact']>[0]): ReturnType<Storage['transact']> {
    return this.#measured(ops[0]?.key ?? '', 'update', this.#storage.transact(ops));
  }

  currentRevision(): Promise<number> {
    return this.#storage.currentRevision();
  }

  watch(...parameters: Parameters<Storage['watch']>): StorageWatch {
    return this.#storage.watch(...parameters);
  }

  get writtenRevision(): number {
    return this.#storage.writtenRevision;
  }

  requestProgress(): void {
    this.#storage.requestProgress();
  }

  compact(revision: number): Promise<void> {
    return this.#storage.compact(revision);
  }

  compactedRevision(): Promise<number> {
    return this.#storage.compactedRevision();
  }

  get resumeRevision(): number {
    return this.#storage.resumeRevision;
  }

  databaseBytes(timeoutMs: number): Promise<number> {
    return this.#storage.databaseBytes(timeoutMs);
  }

  ready(timeoutMs: number): Promise<void> {
    return this.#storage.ready(timeoutMs);
  }

  close(): Promise<void> {
    return this.#storage.close();
  }

  async #measured<T>(key: string, operation: CallOperation, call: Promise<T>): Promise<T> {
    const startedMs = performance.now();
    const calls = this.#callsOf(key).of(operation);
    try {
      const answer = await call;
      calls.ended(startedMs, false);
      return answer;
    } catch (error) {
      calls.ended(startedMs, !isAnswer(error));
      throw error;
    }
  }
}

/** Whether etcd has answered: its answer is that the key exists. */
function isAnswer(error: unknown): boolean {
  return error instanceof StorageError && error.code === 'KeyExists';
}
