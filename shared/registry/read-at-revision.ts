import type { StoredKeyValue, Storage } from '#shared/storage/storage.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { interpretStorageError } from './storage-errors.ts';

/**
 * Reads the objects under a prefix at a revision, in key order from `startKey` on. Throws 410 if the revision is
 * compacted.
 */
export type ReadAtRevision = (prefix: string, revision: number, startKey: string) => Promise<readonly CacheEntry[]>;

/** Makes a reader of old revisions from the storage and the decoder of a resource. */
export function revisionReader(
  storage: Storage,
  decode: (kv: StoredKeyValue) => CacheEntry,
  resource: { group: string; resource: string },
): ReadAtRevision {
  return async (prefix, revision, startKey) => {
    try {
      const { items } = await storage.list(prefix, {
        revision,
        ...(startKey === '' ? {} : { startKey: prefix + startKey }),
      });
      return items.map((kv) => decode(kv));
    } catch (error) {
      throw interpretStorageError(error, 'list', resource, '');
    }
  };
}
