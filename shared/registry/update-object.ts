import { invalid, path } from '../apimachinery/field-error.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { parseRevision } from '../apimachinery/revision.ts';
import { failureStatus, newConflict, newInvalid, newNotFound, StatusError } from '../apimachinery/status.ts';
import type { CacheEntry } from '../watchcache/watch-cache.ts';
import { initializeMetadata, prepareCreate } from './before-create.ts';
import { prepareUpdate } from './before-update.ts';
import { withFinish, writeNew } from './create-object.ts';
import { keepManagerTimes } from './field-management/keep-times.ts';
import { ownUpdate } from './own-writes.ts';
import { betweenSteps, isLarge, runSteps } from './large-objects.ts';
import { guaranteedUpdate, type Attempt, type Origin } from './guaranteed-update.ts';
import { failedPrecondition } from './preconditions.ts';
import { removeFinalized } from './remove-object.ts';
import type { UpdateRequest, WriteResult } from './resource-store.ts';
import { preconditionFailure } from './storage-errors.ts';
import type { StoreParts } from './store-parts.ts';
import { readsAs } from './stored-form.ts';
import type { OperationContext } from './strategy.ts';

const modifiedMessage = 'the object has been modified; please apply your changes to the latest version and try again';

/** PUT, PATCH and writes of subresources. */
export async function updateObject(
  parts: StoreParts,
  context: OperationContext,
  request: UpdateRequest,
): Promise<WriteResult> {
  const key = parts.objectKey(context.namespace, request.name);
  const run = guaranteedUpdate(parts, key, (origin) => attemptUpdate(parts, context, request, key, origin));
  return parts.guard(run, 'update', context, request.name);
}

async function attemptUpdate(
  parts: StoreParts,
  context: OperationContext,
  request: UpdateRequest,
  key: string,
  origin: Origin,
): Promise<Attempt<WriteResult>> {
  const { entry } = origin;
  if (entry === undefined) return { done: await createByUpdate(parts, context, request) };
  const large = context.isLarge === true || isLarge(entry.json.length);
  const old = await runSteps(parts.form.parseInSteps(entry), large);
  checkPreconditions(parts, context, request, key, old);
  await betweenSteps(large);
  const existing = request.leavesExisting === true ? old : await runSteps(parts.form.parseInSteps(entry), large);
  await betweenSteps(large);
  const made = await request.transform(existing, large);
  await betweenSteps(large);
  const object = ownUpdate(parts, context, request, old, made);
  await betweenSteps(large);
  if (context.subresource === '') await parts.strategy.authorizeUpdate?.(context, object, old);
  checkResourceVersion(parts, context, request, object, entry);
  return withFinish(
    parts,
    context.subresource === '' ? await parts.strategy.beginUpdate?.(context, object, old) : undefined,
    async () => {
      await prepareUpdate(parts, context, object, old, large, request.validate);
      await runSteps(keepManagerTimes(parts.form.schema, object, old), large);
      if (request.admit !== undefined) await request.admit(object, old);
      if (goesWithThisUpdate(parts, object, old)) return removeFinalized(parts, context, key, object, entry);
      await betweenSteps(large);
      return write(parts, context, key, object, origin, large);
    },
    (attempt) => 'done' in attempt,
  );
}

async function write(
  parts: StoreParts,
  context: OperationContext,
  key: string,
  object: KubeObject,
  origin: Origin,
  large: boolean,
): Promise<Attempt<WriteResult>> {
  const entry = origin.entry as CacheEntry;
  const encoded = await parts.encode(object, large);
  if (readsAs(encoded, entry)) return unchanged(parts, key, origin);
  if (context.dryRun) return { done: { entry: parts.form.entryOf(key, encoded, entry.revision), created: false } };
  const ttlSeconds = parts.strategy.ttlSeconds?.(object);
  const result = await parts.storage.compareAndSwap(
    key,
    entry.revision,
    encoded.stored,
    ttlSeconds === undefined ? {} : { ttlSeconds },
  );
  if (result.ok) return { done: { entry: parts.written(key, encoded, result.revision), created: false } };
  return { retry: result.current === undefined ? undefined : await parts.entryOfKv(result.current) };
}

/** Nothing to write, if the state that it was compared with is still the newest. */
async function unchanged(parts: StoreParts, key: string, origin: Origin): Promise<Attempt<WriteResult>> {
  const entry = origin.entry as CacheEntry;
  if (origin.current) return { done: { entry, created: false } };
  const newest = await parts.readCurrent(key);
  return newest?.revision === entry.revision ? { done: { entry, created: false } } : { retry: newest };
}

async function createByUpdate(
  parts: StoreParts,
  context: OperationContext,
  request: UpdateRequest,
): Promise<WriteResult> {
  const creates = context.subresource === '' || context.subresource === 'status';
  const allowed = request.createIfMissing === true || (creates && parts.strategy.allowCreateOnUpdate === true);
  if (!allowed) throw newNotFound(parts.resourceOf(context), request.name);
  if (request.preconditions?.uid !== undefined) throw uidConflict(parts, context, request, '');
  const object = ownUpdate(
    parts,
    context,
    request,
    undefined,
    await request.transform(undefined, context.isLarge === true),
  );
  // Which one does not matter, but it must be one.
  parseObjectVersion(object.metadata.resourceVersion ?? '');
  initializeMetadata(parts, context, object);
  // Side effects are those of writes of the whole object.
  const finish = context.subresource === '' ? await parts.strategy.beginCreate?.(context, object) : undefined;
  return withFinish(parts, finish, async () => {
    await prepareCreate(parts, context, object);
    if (request.admitCreate !== undefined) await request.admitCreate(object);
    if (!context.dryRun) delete object.metadata.resourceVersion;
    return writeNew(parts, context, object);
  });
}

function uidConflict(parts: StoreParts, context: OperationContext, request: UpdateRequest, uid: string): StatusError {
  const message = `Precondition failed: UID in precondition: ${request.preconditions?.uid ?? ''}, UID in object meta: ${uid}`;
  return newConflict(
    parts.resourceOf(context),
    request.name,
    preconditionFailure(parts.objectKey(context.namespace, request.name), message, context.dryRun),
  );
}

function checkPreconditions(
  parts: StoreParts,
  context: OperationContext,
  request: UpdateRequest,
  key: string,
  old: KubeObject,
): void {
  const failure = failedPrecondition(request.preconditions, old);
  if (failure !== undefined)
    throw newConflict(parts.resourceOf(context), request.name, preconditionFailure(key, failure, context.dryRun));
}

/**
 * The resourceVersion of the body must be the stored one. Only some resources may be overwritten without a
 * resourceVersion.
 */
function checkResourceVersion(
  parts: StoreParts,
  context: OperationContext,
  request: UpdateRequest,
  object: KubeObject,
  entry: CacheEntry,
): void {
  const version = parseObjectVersion(object.metadata.resourceVersion ?? '');
  if (version === 0) {
    object.metadata.resourceVersion = String(entry.revision);
    if (parts.strategy.allowUnconditionalUpdate !== false) return;
    const resource = parts.resourceOf(context);
    const error = invalid(path('metadata', 'resourceVersion'), 0, 'must be specified for an update');
    throw newInvalid({ group: resource.group, kind: resource.resource }, request.name, [error]);
  }
  if (version !== entry.revision) throw newConflict(parts.resourceOf(context), request.name, modifiedMessage);
}

/** Throws a 500 for a malformed resourceVersion in a body, as the reference does. */
function parseObjectVersion(text: string): number {
  const version = parseRevision(text);
  if (typeof version === 'number') return version;
  throw new StatusError(failureStatus(500, '', version));
}

/** An object with a deletionTimestamp is removed when its last finalizer is. */
function goesWithThisUpdate(parts: StoreParts, object: KubeObject, old: KubeObject): boolean {
  if ((object.metadata.finalizers?.length ?? 0) > 0 || !old.metadata.deletionTimestamp) return false;
  if ((old.metadata.deletionGracePeriodSeconds ?? 0) !== 0) return false;
  return parts.strategy.mayDeleteDuringUpdate?.(object) ?? true;
}
