import { invalid, path } from '#shared/apimachinery/errors/field-error.ts';
import {
  failureStatus,
  hasReason,
  newConflict,
  newInvalid,
  newNotFound,
  StatusError,
} from '#shared/apimachinery/errors/status.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { parseRevision } from '#shared/apimachinery/revision.ts';
import { timed } from '#shared/request/timed.ts';
import { spanEvent } from '#shared/spans/active-span.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { initializeMetadata, prepareCreate } from './before-create.ts';
import { prepareUpdate } from './before-update.ts';
import { putNew, withFinish } from './create-object.ts';
import { keepManagerTimes } from './field-management/keep-times.ts';
import { guaranteedUpdate, type Attempt, type Origin } from './guaranteed-update.ts';
import { manageFieldsOnUpdate } from './manage-fields.ts';
import type { ObjectStore } from './object-store.ts';
import { paceOf } from './pace.ts';
import { failedPrecondition } from './preconditions.ts';
import { removeFinalized } from './remove-object.ts';
import type { UpdateRequest, WriteResult } from './resource-store.ts';
import { preconditionFailure } from './storage-errors.ts';
import { readsAs } from './stored-form.ts';
import type { OperationContext } from './strategy.ts';

const modifiedMessage = 'the object has been modified; please apply your changes to the latest version and try again';

/** Updates an object, for PUT, PATCH and writes of subresources. */
export async function updateObject(
  store: ObjectStore,
  request: UpdateRequest,
  context: OperationContext,
): Promise<WriteResult> {
  const key = store.objectKey(context.namespace, request.name);
  const run = guaranteedUpdate(store, key, context, (origin) => attemptUpdate(store, request, key, origin, context));
  return store.guard(run, 'update', request.name, context);
}

async function attemptUpdate(
  store: ObjectStore,
  request: UpdateRequest,
  key: string,
  origin: Origin,
  asked: OperationContext,
): Promise<Attempt<WriteResult>> {
  const { entry } = origin;
  if (entry === undefined) return createOrRetry(store, request, key, asked);
  const context = atPaceOf(entry, asked);
  const { pace } = context;
  const old = await pace.run(store.form.parse(entry));
  checkPreconditions(store, request, key, old, context);
  await pace.between();
  const existing = request.leavesExisting === true ? old : await pace.run(store.form.parse(entry));
  await pace.between();
  const made = await request.transform(existing, pace, entry);
  await pace.between();
  const object = manageFieldsOnUpdate(store, request, old, made, context);
  await pace.between();
  if (context.subresource === '') await store.strategy.authorizeUpdate?.(object, old, context);
  checkResourceVersion(store, request, object, entry, context);
  return withFinish(
    store,
    context.subresource === '' ? await store.strategy.beginUpdate?.(object, old, context) : undefined,
    async () => {
      await prepareUpdate(store, object, old, context, request.validate);
      await pace.run(keepManagerTimes(store.form.schema, object, old));
      if (request.admit !== undefined) await request.admit(object, old);
      if (goesWithThisUpdate(store, object, old)) return removeFinalized(store, key, object, entry, context);
      await pace.between();
      return write(store, key, object, origin, context);
    },
    (attempt) => 'done' in attempt,
  );
}

/** The context, at a slower pace if the stored object is large: a small body may change a large object. */
function atPaceOf(entry: CacheEntry, context: OperationContext): OperationContext {
  const pace = context.pace.yields ? context.pace : paceOf(entry.json.length);
  return pace === context.pace ? context : { ...context, pace };
}

async function write(
  store: ObjectStore,
  key: string,
  object: KubeObject,
  origin: Origin,
  context: OperationContext,
): Promise<Attempt<WriteResult>> {
  const entry = origin.entry as CacheEntry;
  spanEvent('About to Encode');
  const encoded = await store.encode(object, context.pace);
  spanEvent('Encode succeeded', 'len', encoded.stored.length);
  if (readsAs(encoded, entry)) return unchanged(store, key, origin, context);
  if (context.dryRun) return { done: { entry: store.form.entryOf(key, encoded, entry.revision), created: false } };
  const ttlSeconds = store.strategy.ttlSeconds?.(object);
  const options = ttlSeconds === undefined ? {} : { ttlSeconds };
  const result = await timed(
    context.audit,
    'etcd',
    store.storage.compareAndSwap(key, entry.revision, encoded.stored, options),
  );
  spanEvent('Txn call completed');
  if (result.ok) {
    spanEvent('Transaction committed');
    const written = await store.written(key, encoded, result.revision);
    spanEvent('decode succeeded', 'len', encoded.stored.length);
    return { done: { entry: written, created: false } };
  }
  return { retry: result.current === undefined ? undefined : await store.entryOfKv(result.current, context.audit) };
}

/**
 * The result of an update without a change; retries if the compared state is no longer the newest, or lies in storage
 * in another form than a write would store.
 */
async function unchanged(
  store: ObjectStore,
  key: string,
  origin: Origin,
  context: OperationContext,
): Promise<Attempt<WriteResult>> {
  const entry = origin.entry as CacheEntry;
  if (origin.current) return { done: { entry, created: false } };
  const newest = await store.readCurrent(key, context.audit);
  return newest?.revision === entry.revision && newest.isOutdated === entry.isOutdated
    ? { done: { entry, created: false } }
    : { retry: newest };
}

/** Creates the object; if another request has created it meanwhile, the next try updates that one. */
async function createOrRetry(
  store: ObjectStore,
  request: UpdateRequest,
  key: string,
  context: OperationContext,
): Promise<Attempt<WriteResult>> {
  try {
    return { done: await createByUpdate(store, request, context) };
  } catch (error) {
    const retry = hasReason(error, 'AlreadyExists') ? await store.readCurrent(key, context.audit) : undefined;
    if (retry === undefined) throw error;
    return { retry };
  }
}

async function createByUpdate(
  store: ObjectStore,
  request: UpdateRequest,
  context: OperationContext,
): Promise<WriteResult> {
  const creates = context.subresource === '' || context.subresource === 'status';
  const allowed = request.createIfMissing === true || (creates && store.strategy.allowCreateOnUpdate === true);
  if (!allowed) throw newNotFound(store.resourceOf(context), request.name);
  if (request.preconditions?.uid !== undefined) throw uidConflict(store, request, '', context);
  const object = manageFieldsOnUpdate(
    store,
    request,
    undefined,
    await request.transform(undefined, context.pace, undefined),
    context,
  );
  // Any resourceVersion is accepted, but it must be well-formed.
  parseObjectVersion(object.metadata.resourceVersion ?? '');
  initializeMetadata(store, object, context);
  // Only creates of the whole object have side effects.
  const finish = context.subresource === '' ? await store.strategy.beginCreate?.(object, context) : undefined;
  return withFinish(store, finish, async () => {
    await prepareCreate(store, object, context);
    if (request.admitCreate !== undefined) await request.admitCreate(object);
    if (!context.dryRun) delete object.metadata.resourceVersion;
    return putNew(store, object, context);
  });
}

function uidConflict(store: ObjectStore, request: UpdateRequest, uid: string, context: OperationContext): StatusError {
  const message = `Precondition failed: UID in precondition: ${request.preconditions?.uid ?? ''}, UID in object meta: ${uid}`;
  return newConflict(
    store.resourceOf(context),
    request.name,
    preconditionFailure(store.objectKey(context.namespace, request.name), message, context.dryRun),
  );
}

function checkPreconditions(
  store: ObjectStore,
  request: UpdateRequest,
  key: string,
  old: KubeObject,
  context: OperationContext,
): void {
  const failure = failedPrecondition(request.preconditions, old);
  if (failure !== undefined)
    throw newConflict(store.resourceOf(context), request.name, preconditionFailure(key, failure, context.dryRun));
}

/**
 * The resourceVersion of the body must be the stored one. Only some resources may be overwritten without a
 * resourceVersion.
 */
function checkResourceVersion(
  store: ObjectStore,
  request: UpdateRequest,
  object: KubeObject,
  entry: CacheEntry,
  context: OperationContext,
): void {
  const version = parseObjectVersion(object.metadata.resourceVersion ?? '');
  if (version === 0) {
    object.metadata.resourceVersion = String(entry.revision);
    if (store.strategy.allowUnconditionalUpdate !== false) return;
    const resource = store.resourceOf(context);
    const error = invalid(path('metadata', 'resourceVersion'), 0, 'must be specified for an update');
    throw newInvalid({ group: resource.group, kind: resource.resource }, request.name, [error]);
  }
  if (version !== entry.revision) throw newConflict(store.resourceOf(context), request.name, modifiedMessage);
}

/** Throws a 500 for a malformed resourceVersion in a body, as the reference does. */
function parseObjectVersion(text: string): number {
  const version = parseRevision(text);
  if (typeof version === 'number') return version;
  throw new StatusError(failureStatus(500, '', version));
}

/** Whether this update removes the object: it has a deletionTimestamp, and the update removed its last finalizer. */
function goesWithThisUpdate(store: ObjectStore, object: KubeObject, old: KubeObject): boolean {
  if ((object.metadata.finalizers?.length ?? 0) > 0 || !old.metadata.deletionTimestamp) return false;
  if ((old.metadata.deletionGracePeriodSeconds ?? 0) !== 0) return false;
  return store.strategy.mayDeleteDuringUpdate?.(object) ?? true;
}
