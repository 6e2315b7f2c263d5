import type {
  CasResult,
  ListResult,
  Storage,
  StorageListOptions,
  StorageWatch,
  StorageWatchHandlers,
  StorageWatchOptions,
  StoredKeyValue,
  TransactionOp,
} from '#shared/storage/storage.ts';
import { mapInOrder } from './in-order.ts';
import { OrderedHandlers } from './ordered-handlers.ts';
import type { ValueCipher } from './value-cipher.ts';

/** Storage whose values are encrypted in etcd. Values that cannot be decrypted are thrown as an UnreadableError. */
export class EncryptedStorage implements Storage {
  readonly #storage: Storage;
  readonly #cipher: ValueCipher;
  readonly countLosses: NonNullable<Storage['countLosses']>;

  constructor(
    storage: Storage,
    cipher: ValueCipher,
    countLosses: NonNullable<Storage['countLosses']> = () => undefined,
  ) {
    this.#storage = storage;
    this.#cipher = cipher;
    this.countLosses = countLosses;
  }

  async get(key: string): Promise<{ readonly kv?: StoredKeyValue; readonly revision: number }> {
    const { kv, revision } = await this.#storage.get(key);
    return kv === undefined ? { revision } : { kv: await this.#readable(kv), revision };
  }

  async list(prefix: string, options: StorageListOptions = {}): Promise<ListResult> {
    const result = await this.#storage.list(prefix, options);
    if (options.onlyKeys === true) return result;
    const items = await mapInOrder(result.items, (kv) => this.#cipher.reveal(kv));
    if (options.keepsUnreadable !== true) {
      const failure = items.find((kv) => kv.failure !== undefined)?.failure;
      if (failure !== undefined) throw failure.inList();
    }
    return { ...result, items };
  }

  async create(
    key: string,
    value: Uint8Array,
    options?: { readonly ttlSeconds?: number },
  ): Promise<{ readonly revision: number }> {
    return this.#storage.create(key, await this.#cipher.conceal(key, value), options);
  }

  async compareAndSwap(
    key: string,
    expectedRevision: number,
    value: Uint8Array,
    options?: { readonly ttlSeconds?: number },
  ): Promise<CasResult> {
    const stored = await this.#cipher.conceal(key, value);
    return this.#outcome(await this.#storage.compareAndSwap(key, expectedRevision, stored, options));
  }

  async compareAndDelete(key: string, expectedRevision: number): Promise<CasResult> {
    return this.#outcome(await this.#storage.compareAndDelete(key, expectedRevision));
  }

  async transact(ops: readonly TransactionOp[]): ReturnType<Storage['transact']> {
    const concealed = await mapInOrder(ops, async (op) =>
      op.value === undefined ? op : { ...op, value: await this.#cipher.conceal(op.key, op.value) },
    );
    return this.#storage.transact(concealed);
  }

  currentRevision(): Promise<number> {
    return this.#storage.currentRevision();
  }

  watch(
    prefix: string,
    fromRevision: number,
    handlers: StorageWatchHandlers,
    options?: StorageWatchOptions,
  ): StorageWatch {
    const ordered = new OrderedHandlers(this.#cipher, handlers);
    const watch = this.#storage.watch(prefix, fromRevision, ordered, options);
    return {
      get isOpen() {
        return watch.isOpen;
      },
      close() {
        ordered.close();
        watch.close();
      },
    };
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

  async #outcome(result: CasResult): Promise<CasResult> {
    if (result.ok || result.current === undefined) return result;
    return { ...result, current: await this.#readable(result.current) };
  }

  async #readable(stored: StoredKeyValue): Promise<StoredKeyValue> {
    const kv = await this.#cipher.reveal(stored);
    if (kv.failure !== undefined) throw kv.failure;
    return kv;
  }
}
