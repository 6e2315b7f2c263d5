import type { KubeObject } from '#shared/apimachinery/object.ts';
import { timed } from '#shared/request/timed.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import type { Attempt } from './guaranteed-update.ts';
import type { ObjectStore } from './object-store.ts';
import { paceOf } from './pace.ts';
import type { WriteResult } from './resource-store.ts';
import type { OperationContext } from './strategy.ts';

/** Removes the key if it is still at the revision of the entry; otherwise returns the newer state. */
export async function removeAt(
  store: ObjectStore,
  key: string,
  entry: CacheEntry,
  context: OperationContext,
): Promise<Attempt<CacheEntry>> {
  if (context.dryRun) return { done: entry };
  const result = await timed(context.audit, 'etcd', store.storage.compareAndDelete(key, entry.revision));
  if (!result.ok)
    return { retry: result.current === undefined ? undefined : await store.entryOfKv(result.current, context.audit) };
  await store.cache.untilHandedOut(result.revision);
  // The object is removed already; so an error response would be wrong.
  await store.strategy
    .afterDelete?.(await store.parseSliced(entry), context)
    .catch((error: unknown) => store.reportError(`Failed to give back what ${key} held`, error));
  return { done: entry };
}

/**
 * Removes an object whose update took away its last finalizer while deletionTimestamp was set; answers with the updated
 * object. Another request may have removed it first.
 */
export async function removeFinalized(
  store: ObjectStore,
  key: string,
  object: KubeObject,
  entry: CacheEntry,
  context: OperationContext,
): Promise<Attempt<WriteResult>> {
  const removed = await removeAt(store, key, entry, context);
  if ('retry' in removed && removed.retry !== undefined) return removed;
  return {
    done: {
      entry: store.form.entryOf(key, await store.encode(object, paceOf(entry.json.length)), entry.revision),
      created: false,
    },
  };
}
