import { runSpan } from '#shared/spans/active-span.ts';
import type { RequestSpan } from '#shared/spans/request-span.ts';
import { StorageError } from '#shared/storage/storage.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import type { ObjectStore } from './object-store.ts';
import { storageSpan } from './storage-span.ts';
import type { OperationContext } from './strategy.ts';
import type { RetryingWriter } from './write-turns.ts';

/**
 * The state that an update starts from. A state from the cache may be out of date, so an error on it is checked against
 * storage.
 */
export interface Origin {
  readonly entry: CacheEntry | undefined;
  readonly current: boolean;
}

/** The outcome of one try: done, or a conflict with the newer state that the next try starts from. */
export type Attempt<T> = { readonly done: T } | { readonly retry: CacheEntry | undefined };

/**
 * Updates an object by compare-and-set: first from the cached state, and after a conflict, in turn with others of the
 * object, from the newest state (apiserver storage GuaranteedUpdate). An error on a state that was out of date is
 * discarded.
 */
export function guaranteedUpdate<T>(
  store: ObjectStore,
  key: string,
  context: OperationContext,
  attempt: (origin: Origin) => Promise<Attempt<T>>,
): Promise<T> {
  const span = storageSpan(store, 'GuaranteedUpdate', key);
  if (span === undefined) return updateUntilDone(store, key, context, attempt);
  return runSpan(span, updateUntilDone<T>, store, key, context, attempt, span);
}

/** As {@link guaranteedUpdate}, but without a span of its own. */
export async function updateUntilDone<T>(
  store: ObjectStore,
  key: string,
  context: OperationContext,
  attempt: (origin: Origin) => Promise<Attempt<T>>,
  span?: RequestSpan,
): Promise<T> {
  let origin = await knownState(store, key, context);
  span?.event('initial value restored');
  let writer: RetryingWriter | undefined;
  try {
    for (;;) {
      try {
        const outcome = await attempt(origin);
        if ('done' in outcome) return outcome.done;
        origin = { entry: outcome.retry, current: true };
        span?.event('Retry value restored');
      } catch (error) {
        // An error on an out-of-date state is discarded. An error of storage is final: nothing may be written after it.
        if (origin.current || error instanceof StorageError) throw error;
        const newest = await store.readCurrent(key, context.audit);
        if (newest?.revision === origin.entry?.revision) throw error;
        origin = { entry: newest, current: true };
        continue;
      }
      writer ??= { key, caller: context.caller };
      if (await store.turns.begin(writer)) origin = await knownState(store, key, context);
    }
  } finally {
    if (writer !== undefined) store.turns.end(writer);
  }
}

/** The cached state, or that of storage where there is none. */
async function knownState(store: ObjectStore, key: string, { audit }: OperationContext): Promise<Origin> {
  const cached = store.cache.isReady() ? store.cache.get(key) : undefined;
  return cached === undefined
    ? { entry: await store.readCurrent(key, audit), current: true }
    : { entry: cached, current: false };
}
