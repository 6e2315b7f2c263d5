import type { Marks } from './marks.ts';
import { otherWork, readStoredVersion, type StoredVersion } from './read-stored-version.ts';
import type { MvccStore } from './store.ts';

/** Values that are read at a time. */
const pageValues = 200;

/** A key with its value, and the lease that it is under (`'0'`: none). */
export interface ImageEntry extends StoredVersion {
  readonly key: string;
}

/** The live keys of a store at one moment, in memory. */
export interface StoreImage {
  /** In the order of the keys. */
  readonly entries: readonly ImageEntry[];
  /** The leases of these keys, with the seconds that were left. */
  readonly leases: readonly { readonly id: string; readonly ttl: number }[];
}

/** The parts of a store that images use. */
export interface ImageParts {
  readonly store: MvccStore;
  readonly marks: Marks;
  readonly lessor: ImageLeases;
}

/** What images need of leases (`servers/store/lease`). */
interface ImageLeases {
  has(id: string): boolean;
  timeToLive(id: string): { readonly ttl: number } | undefined;
  grant(id: string, ttl: number): Promise<unknown>;
}

/**
 * Takes an image of what is durable now, with all that was acknowledged, without keys that begin with one of some
 * prefixes. The values are those of the store's memory where they are there, and must not be changed.
 * @throws EtcdRpcError when a row is damaged
 */
export async function takeImage({ store, marks, lessor }: ImageParts, leftOut: readonly string[]): Promise<StoreImage> {
  const mark = marks.set(leftOut);
  try {
    const keys: string[] = [];
    store.index.forEach({ start: '', end: null }, ({ key }) => {
      if (!leftOut.some((prefix) => key.startsWith(prefix))) keys.push(key);
    });
    const entries: ImageEntry[] = [];
    const leases = new Map<string, { id: string; ttl: number }>();
    for (const [at, key] of keys.entries()) {
      if (at % pageValues === pageValues - 1) await otherWork();
      const ref = store.index.get(key)?.at(mark.revision);
      if (ref === undefined) continue;
      const { value, lease } = readStoredVersion(store, ref);
      const ttl = lease === '0' ? undefined : lessor.timeToLive(lease)?.ttl;
      if (ttl !== undefined) leases.set(lease, { id: lease, ttl });
      // A key goes with its lease.
      if (lease === '0' || ttl !== undefined) entries.push({ key, value, lease });
    }
    return { entries, leases: [...leases.values()] };
  } finally {
    marks.release(mark);
  }
}

/**
 * Writes one revision after which the live keys are those of an image; keys that begin with one of some prefixes stay
 * as they are. What is equal is not written. Resolves with the number of keys that it wrote or deleted, when that is
 * durable.
 * @throws EtcdRpcError when the store refuses writes or a row is damaged; only leases may have been granted then
 */
export async function adoptImage(
  { store, lessor }: Omit<ImageParts, 'marks'>,
  image: StoreImage,
  leftOut: readonly string[],
): Promise<number> {
  for (const { id, ttl } of image.leases) if (!lessor.has(id)) await lessor.grant(id, ttl);
  const wanted = new Map(image.entries.map((entry) => [entry.key, entry]));
  return store.write((txn) => {
    const gone: string[] = [];
    store.index.forEach({ start: '', end: null }, (entry) => {
      if (entry.createRevision === 0 || leftOut.some((prefix) => entry.key.startsWith(prefix))) return;
      const then = wanted.get(entry.key);
      if (then === undefined) gone.push(entry.key);
      else if (entry.lease === then.lease && readStoredVersion(store, entry).value.equals(then.value))
        wanted.delete(entry.key);
    });
    for (const key of gone) txn.deleteRange({ start: key, end: `${key}\0` });
    for (const { key, value, lease } of wanted.values()) txn.put(key, value, lease);
    return txn.changes.length;
  });
}
