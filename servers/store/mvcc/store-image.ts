import type { KeyEntry } from './key-entry.ts';
import type { Marks } from './marks.ts';
import { otherWork, readStoredVersion, type StoredVersion } from './read-stored-version.ts';
import type { MvccStore } from './store.ts';

/** Values that are read at a time. */
const pageValues = 200;

/** A live key of an image. */
export interface ImageEntry {
  readonly key: string;
  /** Id of its row in the image's store. */
  readonly id: number;
  /**
   * Its value, which must not be changed, and the lease that it is under (`'0'`: none).
   * @throws EtcdRpcError when the row is damaged
   */
  readonly read: () => StoredVersion;
}

/** The live keys of a store at one moment. */
export interface StoreImage {
  readonly entries: readonly ImageEntry[];
  /** The seconds that are left to a lease; undefined if it has ended. */
  ttlOf(lease: string): number | undefined;
  /** Lets the store forget what only this image needs. Nothing can be read after it. */
  release(): void;
}

/** By key, a row of an image's store and one of an own store that are known to hold the same. */
export type SameRows = Map<string, { readonly theirs: number; readonly own: number }>;

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

interface Wanted extends StoredVersion {
  readonly key: string;
  readonly theirs: number;
}

/**
 * Takes an image of what is durable now, with all that was acknowledged, without keys that begin with one of some
 * prefixes. It must be released.
 */
export function takeImage({ store, marks, lessor }: ImageParts, leftOut: readonly string[]): StoreImage {
  const mark = marks.set(leftOut);
  const entries: ImageEntry[] = [];
  store.index.forEach({ start: '', end: null }, (entry) => {
    const { key } = entry;
    const ref = leftOut.some((prefix) => key.startsWith(prefix)) ? undefined : entry.at(mark.revision);
    if (ref === undefined) return;
    const { id } = ref;
    // The newest version is in memory, unless it is another one by now.
    entries.push({ key, id, read: () => readStoredVersion(store, entry.id === id ? entry : { ...ref, id }) });
  });
  return { entries, ttlOf: (lease) => lessor.timeToLive(lease)?.ttl, release: () => marks.release(mark) };
}

/**
 * Writes one revision after which the live keys are those of an image; keys that begin with one of some prefixes stay
 * as they are. What is equal is not written. Resolves with the number of keys that it wrote or deleted, when that is
 * durable.
 * @param same rows that are known to be equal, so that they are not read; afterwards those of all keys
 * @throws EtcdRpcError when the store refuses writes or a row is damaged; only leases may have been granted then
 */
export async function adoptImage(
  { store, lessor }: Omit<ImageParts, 'marks'>,
  image: StoreImage,
  leftOut: readonly string[],
  same: SameRows = new Map(),
): Promise<number> {
  const present = new Set<string>();
  const wanted: Wanted[] = [];
  let read = 0;
  for (const entry of image.entries) {
    const current = store.index.get(entry.key);
    if (current !== undefined && isKnownEqual(same, entry, current)) {
      present.add(entry.key);
      continue;
    }
    if (++read % pageValues === 0) await otherWork();
    const version = entry.read();
    const ttl = version.lease === '0' ? undefined : image.ttlOf(version.lease);
    // A key goes with its lease.
    if (version.lease !== '0' && ttl === undefined) continue;
    present.add(entry.key);
    if (current !== undefined && holds(store, current, version))
      same.set(entry.key, { theirs: entry.id, own: current.id });
    else wanted.push({ ...version, key: entry.key, theirs: entry.id });
    if (ttl !== undefined && !lessor.has(version.lease)) await lessor.grant(version.lease, ttl);
  }
  return store.write((txn) => {
    const gone: string[] = [];
    store.index.forEach({ start: '', end: null }, ({ key, createRevision }) => {
      if (createRevision !== 0 && !present.has(key) && !leftOut.some((prefix) => key.startsWith(prefix)))
        gone.push(key);
    });
    for (const key of gone) txn.deleteRange({ start: key, end: `${key}\0` });
    for (const { key, theirs, value, lease } of wanted) {
      txn.put(key, value, lease);
      same.set(key, { theirs, own: store.index.get(key)?.id ?? 0 });
    }
    return txn.changes.length;
  });
}

function isKnownEqual(same: SameRows, { key, id }: ImageEntry, current: KeyEntry): boolean {
  const rows = same.get(key);
  return rows !== undefined && rows.theirs === id && rows.own === current.id;
}

function holds(store: MvccStore, current: KeyEntry, { value, lease }: StoredVersion): boolean {
  return (
    current.createRevision !== 0 && current.lease === lease && readStoredVersion(store, current).value.equals(value)
  );
}
