import type { KubeObject } from '../apimachinery/object.ts';
import type { CacheEntry } from '../watchcache/watch-cache.ts';
import type { Attempt } from './guaranteed-update.ts';
import { isLarge } from './large-objects.ts';
import type { WriteResult } from './resource-store.ts';
import type { StoreParts } from './store-parts.ts';
import type { OperationContext } from './strategy.ts';

/** Removes the key at the revision of an entry; tells the newer state if there is one. */
export async function removeAt(
  parts: StoreParts,
  context: OperationContext,
  key: string,
  entry: CacheEntry,
): Promise<Attempt<CacheEntry>> {
  if (context.dryRun) return { done: entry };
  const result = await parts.storage.compareAndDelete(key, entry.revision);
  if (!result.ok) return { retry: result.current === undefined ? undefined : await parts.entryOfKv(result.current) };
  // The object is gone, whatever becomes of this: an error would tell the client that it is not.
  await parts.strategy
    .afterDelete?.(context, await parts.parseSliced(entry))
    .catch((error: unknown) => parts.reportError(`Failed to give back what ${key} held`, error));
  return { done: entry };
}

/**
 * The last finalizer of an object that waits for its deletion went with an update: the object goes too, and the answer
 * shows it as the update made it. Somebody may have been faster to remove it.
 */
export async function removeFinalized(
  parts: StoreParts,
  context: OperationContext,
  key: string,
  object: KubeObject,
  entry: CacheEntry,
): Promise<Attempt<WriteResult>> {
  const removed = await removeAt(parts, context, key, entry);
  if ('retry' in removed && removed.retry !== undefined) return removed;
  return {
    done: {
      entry: parts.form.entryOf(key, await parts.encode(object, isLarge(entry.json.length)), entry.revision),
      created: false,
    },
  };
}
