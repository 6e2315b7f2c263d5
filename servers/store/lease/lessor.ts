import { randomBytes } from 'node:crypto';
import { refuseRequest } from '#servers/store/mvcc/etcd-errors.ts';
import type { MvccStore } from '#servers/store/mvcc/store.ts';

/** etcd's bounds of a TTL: 1.5 times its default election timeout (rounded up), and 285 years. */
const minTtlSeconds = 2;
const maxTtlSeconds = 9_000_000_000;

export interface Lease {
  readonly id: string;
  /** The granted TTL in seconds. */
  readonly ttl: number;
  /** Time of expiry by the clock `now`, in milliseconds. */
  expiresAt: number;
}

/**
 * Manages leases: grants and revocations are stored, renewals are kept in memory. After a restart each lease has its
 * whole TTL again, as after a leader change of etcd.
 */
export class Lessor {
  readonly #leases = new Map<string, Lease>();
  readonly #keys = new Map<string, Set<string>>();
  readonly #revoking = new Set<string>();
  readonly #now: () => number;
  #store: MvccStore | undefined;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Takes over the leases that an earlier process granted. */
  start(store: MvccStore, granted: readonly { id: string; ttl: number }[]): void {
    this.#store = store;
    for (const { id, ttl } of granted) this.#leases.set(id, { id, ttl, expiresAt: this.#now() + ttl * 1000 });
    store.index.forEach({ start: '', end: null }, (entry) => {
      if (entry.lease !== '0') this.moveKey(entry.key, '0', entry.lease);
    });
  }

  has(id: string): boolean {
    return this.#leases.has(id);
  }

  /** Called when a key is attached to a lease or detached from it. */
  moveKey(key: string, from: string, to: string): void {
    if (from !== '0') {
      const keys = this.#keys.get(from);
      keys?.delete(key);
      if (keys?.size === 0) this.#keys.delete(from);
    }
    if (to === '0') return;
    const keys = this.#keys.get(to);
    if (keys === undefined) this.#keys.set(to, new Set([key]));
    else keys.add(key);
  }

  /** @throws EtcdRpcError */
  async grant(wantedId: string, wantedTtl: number): Promise<Lease> {
    const id = wantedId === '0' ? this.#freeId() : wantedId;
    if (wantedTtl > maxTtlSeconds) throw refuseRequest('leaseTtlTooLarge');
    if (this.#leases.has(id)) throw refuseRequest('leaseExists');
    const ttl = Math.max(wantedTtl, minTtlSeconds);
    const lease: Lease = { id, ttl, expiresAt: this.#now() + ttl * 1000 };
    this.#leases.set(id, lease);
    await this.#mustStore().write(() => {}, { leases: [{ id, ttl }], undo: () => void this.#leases.delete(id) });
    lease.expiresAt = this.#now() + ttl * 1000;
    return lease;
  }

  /** Removes a lease and its keys, in one revision. @throws EtcdRpcError */
  async revoke(id: string): Promise<void> {
    const lease = this.#leases.get(id);
    if (lease === undefined) throw refuseRequest('leaseNotFound');
    const keys = [...(this.#keys.get(id) ?? [])].toSorted();
    this.#leases.delete(id);
    await this.#mustStore().write(
      (txn) => {
        for (const key of keys) txn.deleteRange({ start: key, end: `${key}\0` });
      },
      { leases: [{ id, ttl: 0 }], undo: () => void this.#leases.set(id, lease) },
    );
  }

  /** Restarts the TTL of a lease. Returns the TTL, or 0 if there is no such lease. */
  renew(id: string): number {
    const lease = this.#leases.get(id);
    if (lease === undefined || this.#revoking.has(id)) return 0;
    lease.expiresAt = this.#now() + lease.ttl * 1000;
    return lease.ttl;
  }

  /** The remaining TTL in whole seconds, with the lease's keys; undefined if there is no such lease. */
  timeToLive(id: string): { ttl: number; grantedTtl: number; keys: string[] } | undefined {
    const lease = this.#leases.get(id);
    if (lease === undefined) return undefined;
    const ttl = Math.max(0, Math.floor((lease.expiresAt - this.#now()) / 1000));
    return { ttl, grantedTtl: lease.ttl, keys: [...(this.#keys.get(id) ?? [])].toSorted() };
  }

  /** Ids of all leases, in order of expiry. */
  list(): string[] {
    return [...this.#leases.values()].toSorted((a, b) => a.expiresAt - b.expiresAt).map((lease) => lease.id);
  }

  /** Revokes expired leases. Call it about twice a second. */
  async expire(): Promise<void> {
    const now = this.#now();
    const ended = [...this.#leases.values()].filter((lease) => lease.expiresAt <= now && !this.#revoking.has(lease.id));
    await Promise.all(ended.map((lease) => this.#revokeEnded(lease.id)));
  }

  async #revokeEnded(id: string): Promise<void> {
    this.#revoking.add(id);
    // This fails on a full disk, or if a client has revoked the lease meanwhile. The next call of `expire` tries again.
    await this.revoke(id).catch(() => {});
    this.#revoking.delete(id);
  }

  #freeId(): string {
    for (;;) {
      const id = (randomBytes(8).readBigUInt64BE() >> 1n).toString();
      if (id !== '0' && !this.#leases.has(id)) return id;
    }
  }

  #mustStore(): MvccStore {
    if (this.#store === undefined) throw new Error('the lessor is not started');
    return this.#store;
  }
}
