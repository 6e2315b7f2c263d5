import { StorageError } from '../storage.ts';
import type {
  CasResult,
  StoredKeyValue,
  StorageListOptions,
  ListResult,
  Storage,
  StorageWatch,
  StorageWatchHandlers,
  TransactionOp,
} from '../storage.ts';

/**
 * Storage of which some resources lie in other etcds (`--etcd-servers-overrides`). Keys find their way by themselves;
 * whoever compares revisions must ask the part that {@link storageOf} names, since each etcd counts its own.
 */
export class PartitionedStorage implements Storage {
  readonly #main: Storage;
  /** `/events/` → where those keys lie. */
  readonly #parts: ReadonlyMap<string, Storage>;

  /** `parts` by storage prefix (`events`). Closing it closes all. */
  constructor(main: Storage, parts: ReadonlyMap<string, Storage>) {
    this.#main = main;
    this.#parts = new Map([...parts].map(([prefix, storage]) => [`/${prefix}/`, storage]));
  }

  /** The storage that holds the keys of a prefix. */
  part(storagePrefix: string): Storage {
    return this.#parts.get(`/${storagePrefix}/`) ?? this.#main;
  }

  get(key: string): Promise<{ readonly kv?: StoredKeyValue; readonly revision: number }> {
    return this.#of(key).get(key);
  }

  list(prefix: string, options?: StorageListOptions): Promise<ListResult> {
    return this.#of(prefix).list(prefix, options);
  }

  create(
    key: string,
    value: Uint8Array,
    options?: { readonly ttlSeconds?: number },
  ): Promise<{ readonly revision: number }> {
    return this.#of(key).create(key, value, options);
  }

  compareAndSwap(
    key: string,
    expectedRevision: number,
    value: Uint8Array,
    options?: { readonly ttlSeconds?: number },
  ): Promise<CasResult> {
    return this.#of(key).compareAndSwap(key, expectedRevision, value, options);
  }

  compareAndDelete(key: string, expectedRevision: number): Promise<CasResult> {
    return this.#of(key).compareAndDelete(key, expectedRevision);
  }

  async transact(ops: readonly TransactionOp[]): ReturnType<Storage['transact']> {
    const [first, ...others] = ops.map(({ key }) => this.#of(key));
    if (others.some((storage) => storage !== first))
      throw new StorageError('Internal', 'a transaction over several etcds', { key: ops[0]?.key ?? '' });
    return await (first ?? this.#main).transact(ops);
  }

  /** Of the main part. */
  currentRevision(): Promise<number> {
    return this.#main.currentRevision();
  }

  /** Of the main part. */
  get writtenRevision(): number {
    return this.#main.writtenRevision;
  }

  watch(prefix: string, fromRevision: number, handlers: StorageWatchHandlers): StorageWatch {
    return this.#of(prefix).watch(prefix, fromRevision, handlers);
  }

  requestProgress(): void {
    this.#main.requestProgress();
  }

  compact(revision: number): Promise<void> {
    return this.#main.compact(revision);
  }

  /** Of the main part. */
  compactedRevision(): Promise<number> {
    return this.#main.compactedRevision();
  }

  /** Of the main part. */
  get openedRevision(): number {
    return this.#main.openedRevision;
  }

  async ready(timeoutMs: number): Promise<void> {
    await Promise.all([this.#main, ...this.#parts.values()].map((storage) => storage.ready(timeoutMs)));
  }

  async close(): Promise<void> {
    await Promise.all([this.#main, ...new Set(this.#parts.values())].map((storage) => storage.close()));
  }

  #of(key: string): Storage {
    for (const [prefix, storage] of this.#parts) if (key.startsWith(prefix)) return storage;
    return this.#main;
  }
}

/** The part of a storage where the keys of a resource lie; revisions are to be had from it. */
export function storageOf(storage: Storage, storagePrefix: string): Storage {
  return storage instanceof PartitionedStorage ? storage.part(storagePrefix) : storage;
}
