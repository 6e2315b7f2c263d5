import { newConflict, newNotFound } from '#shared/apimachinery/errors/status.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { timed } from '#shared/request/timed.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { markAsDeleting, prepareDelete } from './before-delete.ts';
import { deletionFinalizers } from './deletion-finalizers.ts';
import { updateUntilDone, type Attempt, type Origin } from './guaranteed-update.ts';
import type { ObjectStore } from './object-store.ts';
import { paceOf } from './pace.ts';
import { failedPrecondition } from './preconditions.ts';
import { removeAt } from './remove-object.ts';
import type { AdmitDelete, DeleteRequest, DeleteResult, SettledOptions } from './resource-store.ts';
import { settledOptions } from './settled-options.ts';
import { preconditionFailure } from './storage-errors.ts';
import { readsAs } from './stored-form.ts';
import type { OperationContext } from './strategy.ts';

interface Deletion {
  readonly store: ObjectStore;
  readonly context: OperationContext;
  readonly name: string;
  readonly key: string;
  readonly request: DeleteRequest;
  readonly admit: AdmitDelete | undefined;
}

/**
 * Removes an object, or sets its deletionTimestamp if finalizers or a grace period delay the removal (apiserver
 * registry Store Delete).
 */
export async function deleteObject(
  store: ObjectStore,
  name: string,
  request: DeleteRequest,
  context: OperationContext,
  admit?: AdmitDelete,
): Promise<DeleteResult> {
  const deletion: Deletion = {
    store,
    context,
    name,
    key: store.objectKey(context.namespace, name),
    request,
    admit,
  };
  const run = async (): Promise<DeleteResult> => {
    await refuseUnreadable(deletion);
    return updateUntilDone(store, deletion.key, context, (origin) => attemptDelete(deletion, origin));
  };
  return store.guard(run(), 'delete', name, context);
}

/** Rejects for an object that the cache has and that cannot be read in storage any more; an update may still go on. */
async function refuseUnreadable({ store, key, context }: Deletion): Promise<void> {
  const cached = store.cache.isReady() ? store.cache.get(key) : undefined;
  if (cached !== undefined && store.doubted.has(cached)) await store.readCurrent(key, context.audit);
}

async function attemptDelete(deletion: Deletion, origin: Origin): Promise<Attempt<DeleteResult>> {
  const { store, context, request } = deletion;
  const { entry } = origin;
  if (entry === undefined) throw newNotFound(store.resourceOf(context), deletion.name);
  const object = await store.parseSliced(entry);
  const before = { metadata: { ...object.metadata } };
  if (store.strategy.deleteInPlace !== undefined) {
    const outcome = await deleteInPlace(deletion, origin, object);
    if (outcome !== undefined) return outcome;
  }
  const plan = prepareDelete(store, object, request, context);
  if (plan.kind === 'pending') return { done: result(deletion, entry, false) };
  const settled = settledOptions(request, before, plan, store.strategy.deleteInPlace !== undefined);
  await deletion.admit?.(await admittedObject(store, entry), settled);

  const { changed, finalizers } = deletionFinalizers(
    object.metadata,
    request,
    store.garbageCollection ? store.strategy.defaultGarbageCollection : 'disabled',
  );
  if (changed) object.metadata.finalizers = finalizers;
  const held = finalizers.length > 0;
  if (plan.kind === 'graceful' && (held || plan.seconds > 0)) return mark(deletion, object, origin);
  if (held) {
    markAsDeleting(object, context);
    return mark(deletion, object, origin);
  }
  return remove(deletion, object, origin, plan.kind === 'graceful' || changed ? settled : undefined);
}

/** The object for admission. Few plugins look at what is deleted, so that a small object is parsed for them only. */
async function admittedObject(store: ObjectStore, entry: CacheEntry): Promise<() => KubeObject> {
  let parsed =
    store.form.convert === undefined && !paceOf(entry.json.length).yields ? undefined : await store.parseSliced(entry);
  return () => (parsed ??= store.parse(entry));
}

/** Stores the object with its deletionTimestamp and answers with it. */
async function mark(deletion: Deletion, object: KubeObject, origin: Origin): Promise<Attempt<DeleteResult>> {
  const { store, context, key } = deletion;
  const written = await writeMark(store, key, object, origin, context);
  return 'retry' in written ? written : { done: { entry: written.done, deleted: false, answersObject: true } };
}

async function writeMark(
  store: ObjectStore,
  key: string,
  object: KubeObject,
  origin: Origin,
  context: OperationContext,
): Promise<Attempt<CacheEntry>> {
  const entry = origin.entry as CacheEntry;
  const encoded = await store.encode(object, paceOf(entry.json.length));
  if (readsAs(encoded, entry)) {
    if (origin.current) return { done: entry };
    const newest = await store.readCurrent(key, context.audit);
    return newest?.revision === entry.revision ? { done: entry } : { retry: newest };
  }
  if (context.dryRun) return { done: store.form.entryOf(key, encoded, entry.revision) };
  const swapped = await timed(context.audit, 'etcd', store.storage.compareAndSwap(key, entry.revision, encoded.stored));
  if (swapped.ok) return { done: await store.written(key, encoded, swapped.revision) };
  return { retry: swapped.current === undefined ? undefined : await store.entryOfKv(swapped.current, context.audit) };
}

/**
 * Removes the object. For resources with graceful deletion, the object is first stored with a grace period of zero,
 * which watchers and the response show; the removal is then admitted, too.
 *
 * @param marking the options of a deletion that stores the object first
 */
async function remove(
  deletion: Deletion,
  object: KubeObject,
  origin: Origin,
  marking: SettledOptions | undefined,
): Promise<Attempt<DeleteResult>> {
  const { store, context, key, request } = deletion;
  let entry = origin.entry as CacheEntry;
  if (marking !== undefined) {
    const marked = await writeMark(store, key, object, origin, context);
    if ('retry' in marked) return marked;
    entry = marked.done;
    if (context.dryRun) return { done: result(deletion, entry, true) };
    await deletion.admit?.(await admittedObject(store, entry), marking);
  } else if (request.preconditions !== undefined) checkAgain(deletion, await store.parseSliced(entry));
  const removed = await removeAt(store, key, entry, context);
  if ('done' in removed) return { done: result(deletion, removed.done, true) };
  // Another request may have removed the object since deletionTimestamp was stored: the deletion has succeeded then.
  if (marking !== undefined && removed.retry === undefined) return { done: result(deletion, entry, true) };
  return removed;
}

function checkAgain(deletion: Deletion, object: KubeObject): void {
  const failure = failedPrecondition(deletion.request.preconditions, object);
  if (failure !== undefined)
    throw newConflict(
      deletion.store.resourceOf(deletion.context),
      deletion.name,
      preconditionFailure(deletion.key, failure, deletion.context.dryRun),
    );
}

/** Handles resources whose strategy turns a deletion into an update. */
async function deleteInPlace(
  deletion: Deletion,
  origin: Origin,
  object: KubeObject,
): Promise<Attempt<DeleteResult> | undefined> {
  const { store, context, request } = deletion;
  const failure = failedPrecondition(request.preconditions, object);
  if (failure !== undefined) throw newConflict(store.resourceOf(context), deletion.name, failure);
  const first = !object.metadata.deletionTimestamp;
  if (store.strategy.deleteInPlace?.(object, context) !== true) return undefined;
  if (!first) return { done: { entry: origin.entry as CacheEntry, deleted: false, answersObject: true } };
  const old = await store.parseSliced(origin.entry as CacheEntry);
  await deletion.admit?.(() => old, settledOptions(request, old, undefined, true));
  if (store.strategy.marksForDependents !== false)
    object.metadata.finalizers = deletionFinalizers(object.metadata, request, 'background').finalizers;
  return mark(deletion, object, origin);
}

function answersObject({ strategy, facts }: ObjectStore): boolean {
  return strategy.returnsDeletedObject ?? facts.deleteReturnsObject === true;
}

function result(deletion: Deletion, entry: CacheEntry, deleted: boolean): DeleteResult {
  return { entry, deleted, answersObject: answersObject(deletion.store) };
}
