import {
  isMalformation,
  malformedList,
  malformedObject,
  mostNamed,
  type Malformation,
} from '#shared/registry/malformed-objects.ts';
import type { ResourceStore } from '#shared/registry/resource-store.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import type { Selection } from './selection.ts';

/** Reads an object that the cache lacks; it may have become readable. Throws the reference's 500 if it has not. */
export async function readUnreadable(store: ResourceStore, key: string): Promise<CacheEntry | undefined> {
  try {
    return await store.readStored(key);
  } catch (error) {
    throw isMalformation(error) ? malformedObject(error, store.malformed) : error;
  }
}

/**
 * Throws the reference's 500 if the cache lacks objects of a selection, from `first` on and up to `last`, both
 * included. If they have become readable, the cache is read again, and the answer is true.
 */
export async function reloadsUnreadable(
  store: ResourceStore,
  selection: Pick<Selection, 'key' | 'prefix'>,
  first = '',
  last?: string,
): Promise<boolean> {
  const { facts, cache, malformed } = store;
  const { key: only, prefix } = selection;
  const keys = [...cache.unreadable].filter((key) =>
    only === undefined
      ? key.startsWith(prefix) && key >= prefix + first && (last === undefined || key <= last)
      : key === only,
  );
  if (keys.length === 0) return false;
  const named = keys.sort().slice(0, mostNamed + 1);
  const found = await Promise.all(named.map((key) => malformationAt(store, key)));
  const errors = found.filter((error) => error !== undefined);
  if (errors.length > 0) throw malformedList(errors, { group: facts.group, resource: facts.resource }, malformed);
  await cache.reload();
  return true;
}

async function malformationAt(store: ResourceStore, key: string): Promise<Malformation | undefined> {
  try {
    await store.readStored(key);
    return undefined;
  } catch (error) {
    if (isMalformation(error)) return error;
    throw error;
  }
}
