import type { Facts } from '#shared/api/facts.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { objectAt } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { masterLeaseKey, masterLeasesPrefix } from '#shared/process/master-leases.ts';
import { decodeStored, encodeStored } from '#shared/serializer/codec.ts';
import type { Storage } from '#shared/storage/storage.ts';

const ttlSeconds = 15;
const renewEveryMs = 10_000;
const firstRetryMs = 200;
/** Longest pause after a failed renewal (as on a full disk). After a longer one the key could have expired. */
const longestRetryMs = 5_000;
const attempts = 5;

export interface MasterLeaseOptions {
  readonly storage: Storage;
  readonly facts: Facts;
  /** The media type of stored objects (`--storage-media-type`). */
  readonly storageMediaType?: string;
  /** The IP address at which clients reach this gateway. */
  readonly address: string;
  /**
   * Whether another gateway may use the same address and go on: the key is then not deleted, but expires if no gateway
   * renews it.
   */
  readonly isShared: () => Promise<boolean>;
  /** Called when the last key was deleted: the core servers cannot tell that from keys that expired in an outage. */
  readonly onLast: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * Announces an API server's address as the reference does (`pkg/controlplane/reconcilers/lease.go`), by a key with a
 * TTL that etcd deletes unless it is renewed. The core servers turn these keys into the endpoints of the `kubernetes`
 * Service.
 */
export class MasterLease {
  readonly #options: MasterLeaseOptions;
  readonly #key: string;
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> = Promise.resolve();
  #retryMs = firstRetryMs;
  #stopped = false;

  constructor(options: MasterLeaseOptions) {
    this.#options = options;
    this.#key = masterLeaseKey(options.address);
  }

  /** Deletes the key that a run of this server left which did not end properly. */
  async removeStale(): Promise<void> {
    if (!(await this.#options.isShared())) await this.#remove();
  }

  /** Starts the renewals without waiting for storage. */
  start(): void {
    this.#renewing = this.#renew();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#renewing;
    if (await this.#options.isShared()) return;
    await this.#remove();
    const { items } = await this.#options.storage.list(masterLeasesPrefix);
    if (items.length === 0) await this.#options.onLast();
  }

  async #remove(): Promise<void> {
    const { storage } = this.#options;
    const { kv } = await storage.get(this.#key);
    if (kv !== undefined) await storage.compareAndDelete(this.#key, kv.modRevision);
  }

  async #renew(): Promise<void> {
    let pauseMs = renewEveryMs;
    try {
      for (let attempt = 0; attempt < attempts && !(await this.#write()); attempt++);
      this.#retryMs = firstRetryMs;
    } catch (error) {
      pauseMs = this.#retryMs;
      this.#retryMs = Math.min(2 * pauseMs, longestRetryMs);
      if (!this.#stopped) this.#options.onError(error);
    }
    if (this.#stopped) return;
    this.#timer = setTimeout(() => this.start(), pauseMs).unref();
  }

  /** Returns false if another process wrote the key in between. */
  async #write(): Promise<boolean> {
    const { storage, facts, storageMediaType, address } = this.#options;
    const { kv } = await storage.get(this.#key);
    const before = kv === undefined ? undefined : atOnce(decodeStored(facts, kv.value)).object;
    const generation = Number(before === undefined ? 0 : (objectAt(before, 'metadata')?.['generation'] ?? 0)) + 1;
    const object: KubeObject = {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { ...before?.metadata, generation },
      subsets: [{ addresses: [{ ip: address }] }],
    };
    const gvk = { group: '', version: 'v1', kind: 'Endpoints' };
    const value = atOnce(encodeStored(facts.schema(gvk.group, gvk.version, gvk.kind), gvk, object, storageMediaType));
    return (await storage.compareAndSwap(this.#key, kv?.modRevision ?? 0, value, { ttlSeconds })).ok;
  }
}
