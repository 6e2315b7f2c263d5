import { invalid, path } from '#shared/apimachinery/errors/field-error.ts';
import {
  failureStatus,
  newConflict,
  newInvalid,
  newNotFound,
  StatusError,
} from '#shared/apimachinery/errors/status.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { parseRevision } from '#shared/apimachinery/revision.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { initializeMetadata, prepareCreate } from './before-create.ts';
import { prepareUpdate } from './before-update.ts';
import { withFinish, writeNew } from './create-object.ts';
import { keepManagerTimes } from './field-management/keep-times.ts';
import { guaranteedUpdate, type Attempt, type Origin } from './guaranteed-update.ts';
import { manageFieldsOnUpdate } from './manage-fields.ts';
import { paceOf } from './pace.ts';
import { failedPrecondition } from './preconditions.ts';
import { removeFinalized } from './remove-object.ts';
import type { UpdateRequest, WriteResult } from './resource-store.ts';
import { preconditionFailure } from './storage-errors.ts';
import type { StoreDependencies } from './store-dependencies.ts';
import { readsAs } from './stored-form.ts';
import type { OperationContext } from './strategy.ts';

const modifiedMessage = 'the object has been modified; please apply your changes to the latest version and try again';

/** Updates an object, for PUT, PATCH and writes of subresources. */
export async function updateObject(
  dependencies: StoreDependencies,
  request: UpdateRequest,
  context: OperationContext,
): Promise<WriteResult> {
  const key = dependencies.objectKey(context.namespace, request.name);
  const run = guaranteedUpdate(dependencies, key, (origin) =>
    attemptUpdate(dependencies, request, key, origin, context),
  );
  return dependencies.guard(run, 'update', request.name, context);
}

async function attemptUpdate(
  dependencies: StoreDependencies,
  request: UpdateRequest,
  key: string,
  origin: Origin,
  asked: OperationContext,
): Promise<Attempt<WriteResult>> {
  const { entry } = origin;
  if (entry === undefined) return { done: await createByUpdate(dependencies, request, asked) };
  const context = atPaceOf(entry, asked);
  const { pace } = context;
  const old = await pace.run(dependencies.form.parse(entry));
  checkPreconditions(dependencies, request, key, old, context);
  await pace.between();
  const existing = request.leavesExisting === true ? old : await pace.run(dependencies.form.parse(entry));
  await pace.between();
  const made = await request.transform(existing, pace);
  await pace.between();
  const object = manageFieldsOnUpdate(dependencies, request, old, made, context);
  await pace.between();
  if (context.subresource === '') await dependencies.strategy.authorizeUpdate?.(object, old, context);
  checkResourceVersion(dependencies, request, object, entry, context);
  return withFinish(
    dependencies,
    context.subresource === '' ? await dependencies.strategy.beginUpdate?.(object, old, context) : undefined,
    async () => {
      await prepareUpdate(dependencies, object, old, context, request.validate);
      await pace.run(keepManagerTimes(dependencies.form.schema, object, old));
      if (request.admit !== undefined) await request.admit(object, old);
      if (goesWithThisUpdate(dependencies, object, old))
        return removeFinalized(dependencies, key, object, entry, context);
      await pace.between();
      return write(dependencies, key, object, origin, context);
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
  dependencies: StoreDependencies,
  key: string,
  object: KubeObject,
  origin: Origin,
  context: OperationContext,
): Promise<Attempt<WriteResult>> {
  const entry = origin.entry as CacheEntry;
  const encoded = await dependencies.encode(object, context.pace);
  if (readsAs(encoded, entry)) return unchanged(dependencies, key, origin);
  if (context.dryRun)
    return { done: { entry: dependencies.form.entryOf(key, encoded, entry.revision), created: false } };
  const ttlSeconds = dependencies.strategy.ttlSeconds?.(object);
  const result = await dependencies.storage.compareAndSwap(
    key,
    entry.revision,
    encoded.stored,
    ttlSeconds === undefined ? {} : { ttlSeconds },
  );
  if (result.ok) return { done: { entry: await dependencies.written(key, encoded, result.revision), created: false } };
  return { retry: result.current === undefined ? undefined : await dependencies.entryOfKv(result.current) };
}

/** The result of an update without a change; retries if the compared state is no longer the newest. */
async function unchanged(dependencies: StoreDependencies, key: string, origin: Origin): Promise<Attempt<WriteResult>> {
  const entry = origin.entry as CacheEntry;
  if (origin.current) return { done: { entry, created: false } };
  const newest = await dependencies.readCurrent(key);
  return newest?.revision === entry.revision ? { done: { entry, created: false } } : { retry: newest };
}

async function createByUpdate(
  dependencies: StoreDependencies,
  request: UpdateRequest,
  context: OperationContext,
): Promise<WriteResult> {
  const creates = context.subresource === '' || context.subresource === 'status';
  const allowed = request.createIfMissing === true || (creates && dependencies.strategy.allowCreateOnUpdate === true);
  if (!allowed) throw newNotFound(dependencies.resourceOf(context), request.name);
  if (request.preconditions?.uid !== undefined) throw uidConflict(dependencies, request, '', context);
  const object = manageFieldsOnUpdate(
    dependencies,
    request,
    undefined,
    await request.transform(undefined, context.pace),
    context,
  );
  // Any resourceVersion is accepted, but it must be well-formed.
  parseObjectVersion(object.metadata.resourceVersion ?? '');
  initializeMetadata(dependencies, object, context);
  // Only creates of the whole object have side effects.
  const finish = context.subresource === '' ? await dependencies.strategy.beginCreate?.(object, context) : undefined;
  return withFinish(dependencies, finish, async () => {
    await prepareCreate(dependencies, object, context);
    if (request.admitCreate !== undefined) await request.admitCreate(object);
    if (!context.dryRun) delete object.metadata.resourceVersion;
    return writeNew(dependencies, object, context);
  });
}

function uidConflict(
  dependencies: StoreDependencies,
  request: UpdateRequest,
  uid: string,
  context: OperationContext,
): StatusError {
  const message = `Precondition failed: UID in precondition: ${request.preconditions?.uid ?? ''}, UID in object meta: ${uid}`;
  return newConflict(
    dependencies.resourceOf(context),
    request.name,
    preconditionFailure(dependencies.objectKey(context.namespace, request.name), message, context.dryRun),
  );
}

function checkPreconditions(
  dependencies: StoreDependencies,
  request: UpdateRequest,
  key: string,
  old: KubeObject,
  context: OperationContext,
): void {
  const failure = failedPrecondition(request.preconditions, old);
  if (failure !== undefined)
    throw newConflict(
      dependencies.resourceOf(context),
      request.name,
      preconditionFailure(key, failure, context.dryRun),
    );
}

/**
 * The resourceVersion of the body must be the stored one. Only some resources may be overwritten without a
 * resourceVersion.
 */
function checkResourceVersion(
  dependencies: StoreDependencies,
  request: UpdateRequest,
  object: KubeObject,
  entry: CacheEntry,
  context: OperationContext,
): void {
  const version = parseObjectVersion(object.metadata.resourceVersion ?? '');
  if (version === 0) {
    object.metadata.resourceVersion = String(entry.revision);
    if (dependencies.strategy.allowUnconditionalUpdate !== false) return;
    const resource = dependencies.resourceOf(context);
    const error = invalid(path('metadata', 'resourceVersion'), 0, 'must be specified for an update');
    throw newInvalid({ group: resource.group, kind: resource.resource }, request.name, [error]);
  }
  if (version !== entry.revision) throw newConflict(dependencies.resourceOf(context), request.name, modifiedMessage);
}

/** Throws a 500 for a malformed resourceVersion in a body, as the reference does. */
function parseObjectVersion(text: string): number {
  const version = parseRevision(text);
  if (typeof version === 'number') return version;
  throw new StatusError(failureStatus(500, '', version));
}

/** Whether this update removes the object: it has a deletionTimestamp, and the update removed its last finalizer. */
function goesWithThisUpdate(dependencies: StoreDependencies, object: KubeObject, old: KubeObject): boolean {
  if ((object.metadata.finalizers?.length ?? 0) > 0 || !old.metadata.deletionTimestamp) return false;
  if ((old.metadata.deletionGracePeriodSeconds ?? 0) !== 0) return false;
  return dependencies.strategy.mayDeleteDuringUpdate?.(object) ?? true;
}
