import { objectAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { CacheFollower } from '#shared/follow/cache-follower.ts';
import type { CacheEntry, WatchCache } from '#shared/watchcache/watch-cache.ts';

const identityLabel = 'apiserver.kubernetes.io/identity';
const kind = 'kube-apiserver';
const namespace = '/leases/kube-system/';

/**
 * The ids of the other API servers of the cluster, from the Leases by which they show that they are there. A server
 * that was started again has another holder.
 */
export class PeerIdentities {
  readonly #ownId: string;
  readonly #holders = new Map<string, string>();
  readonly #follower: CacheFollower;
  readonly #read = Promise.withResolvers<void>();

  constructor(leases: WatchCache, ownId: string, onChange: () => void) {
    this.#ownId = ownId;
    this.#follower = new CacheFollower({
      cache: leases,
      prefix: namespace,
      onState: (snapshot) => {
        this.#holders.clear();
        for (const entry of snapshot.entries(namespace)) this.#take(entry);
        this.#read.resolve();
        onChange();
      },
      onEvents: (events) => {
        for (const { type, entry } of events)
          if (type === 'DELETED' ? this.#drop(entry) : this.#take(entry)) onChange();
      },
    });
  }

  get ids(): Iterable<string> {
    return this.#holders.keys();
  }

  /** Resolves when the Leases were read. */
  get ready(): Promise<void> {
    return this.#read.promise;
  }

  /** Begins to read the Leases, and tries again until that works. */
  start(): void {
    this.#follower.ready().catch(() => undefined);
  }

  close(): void {
    this.#follower.close();
  }

  /** Returns whether the Lease tells of a new peer, or of one that was started again. */
  #take(entry: CacheEntry): boolean {
    if (entry.name === this.#ownId || entry.labels?.[identityLabel] !== kind) return this.#drop(entry);
    const spec = objectAt(JSON.parse(entry.json.toString('utf8')) as KubeObject, 'spec') ?? {};
    if (spec['holderIdentity'] === undefined) return this.#drop(entry);
    const holder = stringAt(spec, 'holderIdentity');
    const isNew = this.#holders.get(entry.name) !== holder;
    this.#holders.set(entry.name, holder);
    return isNew;
  }

  #drop({ name }: CacheEntry): boolean {
    return this.#holders.delete(name);
  }
}
