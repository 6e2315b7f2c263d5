import type { Buffer } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';
import { spanEvent } from '#shared/spans/active-span.ts';
import type { RangeResponse, RequestOp, TxnResponse } from '#shared/storage/etcd-wire/kv-messages.ts';
import type { EtcdTransport } from '#shared/storage/etcd-wire/transport.ts';
import { resumedRevisions, StorageError } from '#shared/storage/storage.ts';
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
import { EtcdCalls } from './calls.ts';
import { CompactionLoop, compactRevisionKey } from './compaction-loop.ts';
import { isLeaseGone, toStorageError, toWriteError } from './errors.ts';
import { HeardCompaction } from './heard-compaction.ts';
import { KeySpace } from './keys.ts';
import { LeaseManager } from './lease-manager.ts';
import { listRange } from './list-range.ts';
import { NewestRevision } from './newest-revision.ts';
import { SharedWatchStream } from './shared-watch-stream.ts';
import { buildTransaction, conditional, failedKey } from './transactions.ts';

export interface EtcdStorageOptions {
  readonly transport: EtcdTransport;
  /** Prefix of every key; the reference's is `/registry`. */
  readonly prefix: string;
  /** How long one call may take, its repetitions included. Default: 10,000. */
  readonly callTimeoutMs?: number;
  /** Whether the transport may lead to a store of this project, which is asked for its tip then. Default: no. */
  readonly asksForTip?: boolean;
  /** Time between compactions; 0 (default) leaves them to other servers. The reference's is 300,000. */
  readonly compactionIntervalMs?: number;
  /** Longest time during which a lease is reused for further keys. Default: 60. */
  readonly leaseReuseSeconds?: number | undefined;
  /** Told of each lease how many objects asked for the one before it. */
  readonly onLease?: ((objects: number) => void) | undefined;
}

const readyCallMs = 1_000;
const longestReadyPauseMs = 250;
/** {@link Storage} over any etcd v3 server. Closing it closes the transport. */
export class EtcdStorage implements Storage {
  readonly #calls: EtcdCalls;
  readonly #keys: KeySpace;
  readonly #leases: LeaseManager;
  readonly #newest: NewestRevision;
  readonly #watches: SharedWatchStream;
  readonly #compaction: CompactionLoop | undefined;
  readonly #heardCompaction: HeardCompaction;
  #resumeRevision = 0;
  #writtenRevision = 0;
  #closed = false;

  constructor(options: EtcdStorageOptions) {
    this.#calls = new EtcdCalls(options.transport, options.callTimeoutMs ?? 10_000);
    this.#keys = new KeySpace(options.prefix);
    this.#leases = new LeaseManager(async (ttl, objects) => {
      const { id } = await this.#calls.write('Lease/LeaseGrant', { ttl });
      options.onLease?.(objects);
      return id;
    }, options.leaseReuseSeconds);
    this.#watches = new SharedWatchStream(options.transport, this.#keys, () => this.#newest.distrust());
    this.#newest = new NewestRevision(this.#calls, {
      asksForTip: options.asksForTip ?? false,
      onTip: (revision) => this.#watches.tell(revision),
    });
    this.#heardCompaction = new HeardCompaction(options.transport);
    const intervalMs = options.compactionIntervalMs ?? 0;
    this.#compaction = intervalMs > 0 ? new CompactionLoop(options.transport, intervalMs) : undefined;
  }

  async get(key: string): Promise<{ readonly kv?: StoredKeyValue; readonly revision: number }> {
    try {
      const response = await this.#calls.read('KV/Range', { key: this.#keys.encode(key) });
      const kv = this.#first(response);
      return { ...(kv === undefined ? {} : { kv }), revision: revisionOf(response) };
    } catch (error) {
      throw toStorageError(error, key);
    }
  }

  async list(prefix: string, options: StorageListOptions = {}): Promise<ListResult> {
    try {
      return await listRange(this.#calls, this.#keys, prefix, options);
    } catch (error) {
      throw toStorageError(error, prefix);
    }
  }

  async create(
    key: string,
    value: Uint8Array,
    options: { readonly ttlSeconds?: number } = {},
  ): Promise<{ readonly revision: number }> {
    const result = await this.compareAndSwap(key, 0, value, options);
    if (result.ok) return { revision: result.revision };
    throw new StorageError('KeyExists', `key exists: ${key}`, { key, revision: result.current?.modRevision ?? 0 });
  }

  async compareAndSwap(
    key: string,
    expectedRevision: number,
    value: Uint8Array,
    options: { readonly ttlSeconds?: number } = {},
  ): Promise<CasResult> {
    try {
      const keyBytes = this.#keys.encode(key);
      const ttl = options.ttlSeconds ?? 0;
      if (ttl <= 0)
        return await this.#conditional(keyBytes, expectedRevision, { requestPut: { key: keyBytes, value } });
      return await this.#withLease(ttl, (lease) =>
        this.#conditional(keyBytes, expectedRevision, { requestPut: { key: keyBytes, value, lease } }),
      );
    } catch (error) {
      throw toWriteError(error, key);
    }
  }

  async compareAndDelete(key: string, expectedRevision: number): Promise<CasResult> {
    try {
      const keyBytes = this.#keys.encode(key);
      // With revision 0, etcd would report the deletion of an absent key as a success.
      if (expectedRevision <= 0) {
        const response = await this.#calls.read('KV/Range', { key: keyBytes });
        return failed(revisionOf(response), this.#first(response));
      }
      return await this.#conditional(keyBytes, expectedRevision, { requestDeleteRange: { key: keyBytes } });
    } catch (error) {
      throw toWriteError(error, key);
    }
  }

  async transact(
    ops: readonly TransactionOp[],
  ): Promise<
    | { readonly ok: true; readonly revision: number }
    | { readonly ok: false; readonly failedKey: string; readonly revision: number }
  > {
    try {
      const response = await this.#calls.write('KV/Txn', buildTransaction(this.#keys, ops));
      const revision = revisionOf(response);
      if (response.succeeded) this.#wrote(revision);
      return response.succeeded ? { ok: true, revision } : { ok: false, failedKey: failedKey(ops, response), revision };
    } catch (error) {
      throw toWriteError(error, ops[0]?.key ?? '');
    }
  }

  get writtenRevision(): number {
    return this.#writtenRevision;
  }

  currentRevision(): Promise<number> {
    return this.#newest.current();
  }

  watch(
    prefix: string,
    fromRevision: number,
    handlers: StorageWatchHandlers,
    options?: StorageWatchOptions,
  ): StorageWatch {
    return this.#watches.watch(prefix, fromRevision, handlers, options);
  }

  requestProgress(): void {
    this.#watches.requestProgress();
  }

  async compact(revision: number): Promise<void> {
    try {
      await this.#calls.write('KV/Compact', { revision });
    } catch (error) {
      throw toWriteError(error, '');
    }
  }

  compactedRevision(): Promise<number> {
    return this.#heardCompaction.revision();
  }

  get resumeRevision(): number {
    return this.#resumeRevision;
  }

  async databaseBytes(timeoutMs: number): Promise<number> {
    try {
      return (await this.#calls.transport.unary('Maintenance/Status', {}, { deadlineMs: timeoutMs })).dbSize;
    } catch (error) {
      throw toStorageError(error, '');
    }
  }

  async ready(timeoutMs: number): Promise<void> {
    const end = performance.now() + timeoutMs;
    for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, longestReadyPauseMs)) {
      const leftMs = end - performance.now();
      try {
        const deadlineMs = Math.max(1, Math.min(leftMs, readyCallMs));
        const response = await this.#calls.transport.unary(
          'KV/Range',
          { key: compactRevisionKey, countOnly: true },
          { deadlineMs },
        );
        if (this.#resumeRevision === 0) this.#resumeRevision = Math.max(1, revisionOf(response) - resumedRevisions);
        return;
      } catch (error) {
        const failure = toStorageError(error, '');
        if (this.#closed || leftMs <= pauseMs) throw failure;
      }
      await sleep(pauseMs);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#compaction?.stop();
    this.#watches.close();
    this.#newest.close();
    await this.#calls.transport.close();
  }

  async #withLease(ttlSeconds: number, write: (lease: string) => Promise<CasResult>): Promise<CasResult> {
    try {
      return await write(await this.#leases.lease(ttlSeconds));
    } catch (error) {
      if (!isLeaseGone(error)) throw error;
      this.#leases.forget(ttlSeconds);
      return write(await this.#leases.lease(ttlSeconds));
    }
  }

  async #conditional(key: Buffer, expectedRevision: number, op: RequestOp): Promise<CasResult> {
    if (op.requestPut !== undefined) {
      spanEvent('TransformToStorage succeeded');
      if (expectedRevision > 0) spanEvent('Transaction prepared');
    }
    const response = await this.#calls.write('KV/Txn', conditional(key, expectedRevision, op));
    const revision = revisionOf(response);
    if (response.succeeded) {
      this.#wrote(revision);
      return { ok: true, revision };
    }
    const range = response.responses[0]?.responseRange;
    return failed(revision, range === undefined ? undefined : this.#first(range));
  }

  #wrote(revision: number): void {
    this.#writtenRevision = Math.max(this.#writtenRevision, revision);
  }

  #first(response: RangeResponse): StoredKeyValue | undefined {
    const kv = response.kvs[0];
    return kv === undefined ? undefined : this.#keys.keyValue(kv);
  }
}

function failed(revision: number, current: StoredKeyValue | undefined): CasResult {
  return current === undefined ? { ok: false, revision } : { ok: false, revision, current };
}

function revisionOf(response: RangeResponse | TxnResponse): number {
  return response.header?.revision ?? 0;
}
