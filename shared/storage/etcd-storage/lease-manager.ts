/**
 * Grants a lease of `ttlSeconds` at etcd; resolves with its id. `objects`: how many the lease before it was asked for,
 * the one that wants this lease included.
 */
export type GrantLease = (ttlSeconds: number, objects: number) => Promise<string>;

const maxObjects = 1_000;
const reuseFraction = 0.05;
const defaultReuseSeconds = 60;

interface Bucket {
  readonly lease: Promise<string>;
  readonly expiresAtMs: number;
  objects: number;
}

/**
 * Attaches many objects to one lease, since leases are expensive. A lease is granted for 5 % (`reuseSeconds` at most)
 * longer than requested, and reused for the same TTL while it still has the requested time left, by up to 1,000 objects
 * (apiserver/pkg/storage/etcd3/lease_manager.go, which keeps only one lease; here there is one per TTL).
 */
export class LeaseManager {
  readonly #grant: GrantLease;
  readonly #reuseSeconds: number;
  readonly #now: () => number;
  readonly #buckets = new Map<number, Bucket>();

  constructor(grant: GrantLease, reuseSeconds = defaultReuseSeconds, now: () => number = () => performance.now()) {
    this.#grant = grant;
    this.#reuseSeconds = reuseSeconds;
    this.#now = now;
  }

  lease(ttlSeconds: number): Promise<string> {
    const now = this.#now();
    const bucket = this.#buckets.get(ttlSeconds);
    if (bucket !== undefined && bucket.objects < maxObjects && now + ttlSeconds * 1_000 < bucket.expiresAtMs) {
      bucket.objects += 1;
      return bucket.lease;
    }
    return this.#renew(ttlSeconds, now, (bucket?.objects ?? 0) + 1);
  }

  /** Drops a lease that has ended at etcd: the next call gets another. */
  forget(ttlSeconds: number): void {
    this.#buckets.delete(ttlSeconds);
  }

  #renew(ttlSeconds: number, now: number, objects: number): Promise<string> {
    this.#dropExpired(now);
    const granted = ttlSeconds + Math.min(Math.floor(ttlSeconds * reuseFraction), this.#reuseSeconds);
    const bucket: Bucket = { lease: this.#grant(granted, objects), expiresAtMs: now + granted * 1_000, objects: 1 };
    this.#buckets.set(ttlSeconds, bucket);
    bucket.lease.catch(() => {
      if (this.#buckets.get(ttlSeconds) === bucket) this.#buckets.delete(ttlSeconds);
    });
    return bucket.lease;
  }

  #dropExpired(now: number): void {
    for (const [ttl, bucket] of this.#buckets) if (bucket.expiresAtMs <= now) this.#buckets.delete(ttl);
  }
}
