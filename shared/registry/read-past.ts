import type { KeyValue, Storage } from '../storage/storage.ts';
import type { CacheEntry } from '../watchcache/watch-cache.ts';
import { interpretStorageError } from './storage-errors.ts';

/** The objects below a prefix at a revision, from a key below it on, in key order. Throws 410 when it is compacted. */
export type ReadPast = (prefix: string, revision: number, startKey: string) => Promise<readonly CacheEntry[]>;

/** Reads past states with the storage and the decoder of a resource. */
export function pastReader(
  storage: Storage,
  decode: (kv: KeyValue) => CacheEntry,
  resource: { group: string; resource: string },
): ReadPast {
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
