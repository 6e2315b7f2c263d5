import type { Storage } from '#shared/storage/storage.ts';
import type { CacheSnapshot } from './watch-cache.ts';

/** The most keys of one page; without their values they are few bytes. */
const maxKeys = 1_000;

/**
 * Compares the keys of a snapshot, and the revision of each, with those that storage had at the snapshot's revision.
 * Returns the first difference in words; undefined if there is none. Rejects if that revision was compacted.
 */
export async function firstDifference(
  snapshot: CacheSnapshot,
  storage: Pick<Storage, 'list'>,
  prefix: string,
): Promise<string | undefined> {
  const { revision } = snapshot;
  const cached = snapshot.entries(prefix)[Symbol.iterator]();
  let stored = 0;
  for (let startKey = prefix; ;) {
    const page = await storage.list(prefix, { revision, startKey, limit: maxKeys, onlyKeys: true });
    for (const { key, modRevision } of page.items) {
      stored++;
      const next = cached.next().value;
      // Keys beyond ASCII may be in another order here.
      const entry = next?.key === key ? next : entryAt(snapshot, key);
      if (entry?.revision !== modRevision)
        return `storage has ${key} at ${modRevision}, the cache at ${entry?.revision}`;
    }
    const last = page.items.at(-1);
    if (!page.more || last === undefined) break;
    startKey = `${last.key}\0`;
  }
  return stored === snapshot.count(prefix) ? undefined : `storage has ${stored}, the cache ${snapshot.count(prefix)}`;
}

function entryAt(snapshot: CacheSnapshot, key: string): { readonly revision: number } | undefined {
  for (const entry of snapshot.entries(key)) return entry.key === key ? entry : undefined;
  return undefined;
}
