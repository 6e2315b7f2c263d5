import { StorageError } from '#shared/storage/storage.ts';
import type {
  CasResult,
  StoredKeyValue,
  StorageListOptions,
  ListResult,
  Storage,
  StorageWatch,
  StorageWatchHandlers,
  StorageWatchOptions,
  TransactionOp,
} from '#shared/storage/storage.ts';

/**
 * Storage with some resources in other etcds (`--etcd-servers-overrides`). Calls with a key are routed by it. A caller
 * that compares revisions must use the part that {@link storageOf} returns, since each etcd has its own revisions.
 */
export class PartitionedStorage implements Storage {
  readonly #main: Storage;
  /** Key prefix such as `/events/` → the storage of its keys. */
  readonly #parts: ReadonlyMap<string, Storage>;

  /** `parts` by storage prefix (`events`). Closing this storage closes all of them. */
  constructor(main: Storage, parts: ReadonlyMap<string, Storage>) {
    this.#main = main;
    this.#parts = new Map([...parts].map(([prefix, storage]) => [`/${prefix}/`, storage]));
  }

  /** The storage that holds the keys of a prefix. */
  part(storagePrefix: string): Storage {
    return this.#parts.get(`/${storagePrefix}/`) ?? this.#main;
  }

  /** The storage of each etcd, the main one first. */
  all(): readonly Storage[] {
    return [this.#main, ...new Set(this.#parts.values())];
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

  /** The current revision of the main part. */
  currentRevision(): Promise<number> {
    return this.#main.currentRevision();
  }

  /** The written revision of the main part. */
  get writtenRevision(): number {
    return this.#main.writtenRevision;
  }

  watch(
    prefix: string,
    fromRevision: number,
    handlers: StorageWatchHandlers,
    options?: StorageWatchOptions,
  ): StorageWatch {
    return this.#of(prefix).watch(prefix, fromRevision, handlers, options);
  }

  requestProgress(): void {
    this.#main.requestProgress();
  }

  compact(revision: number): Promise<void> {
    return this.#main.compact(revision);
  }

  /** The compacted revision of the main part. */
  compactedRevision(): Promise<number> {
    return this.#main.compactedRevision();
  }

  /** That of the main part. */
  get resumeRevision(): number {
    return this.#main.resumeRevision;
  }

  /** That of the main part. */
  databaseBytes(timeoutMs: number): Promise<number> {
    return this.#main.databaseBytes(timeoutMs);
  }

  async ready(timeoutMs: number): Promise<void> {
    await Promise.all([this.#main, ...this.#parts.values()].map((storage) => storage.ready(timeoutMs)));
  }

  async close(): Promise<void> {
    await Promise.all(this.all().map((storage) => storage.close()));
  }

  #of(key: string): Storage {
    for (const [prefix, storage] of this.#parts) if (key.startsWith(prefix)) return storage;
    return this.#main;
  }
}

/** The storage of each etcd, the main one first. */
export function storagesOf(storage: Storage): readonly Storage[] {
  return storage instanceof PartitionedStorage ? storage.all() : [storage];
}

/** The part of a storage that has the keys of a resource; revisions must be read from this part. */
export function storageOf(storage: Storage, storagePrefix: string): Storage {
  return storage instanceof PartitionedStorage ? storage.part(storagePrefix) : storage;
}
