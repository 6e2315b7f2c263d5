import {
  failureStatus,
  hasReason,
  newAlreadyExists,
  newGenerateNameConflict,
  StatusError,
} from '#shared/apimachinery/errors/status.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { parseRevision } from '#shared/apimachinery/revision.ts';
import { timed } from '#shared/request/timed.ts';
import { quoteJson } from '#shared/serializer/json/go-text.ts';
import { runSpan, spanEvent } from '#shared/spans/active-span.ts';
import { initializeMetadata, prepareCreate } from './before-create.ts';
import { manageFieldsOnCreate } from './manage-fields.ts';
import type { ObjectStore } from './object-store.ts';
import { paceOf } from './pace.ts';
import type { AdmitCreate, WriteResult } from './resource-store.ts';
import { isOutcomeUnknown } from './storage-errors.ts';
import { storageSpan } from './storage-span.ts';
import { parseEntry, type EncodedObject } from './stored-form.ts';
import type { Finish, OperationContext, WriteOutcome } from './strategy.ts';

/** How many generated names are tried. With 8 tries a create almost never fails, even beside a million names. */
const maxNameAttempts = 8;

/** Creates an object. Throws AlreadyExists, Invalid, and any error of hooks and admission. */
export async function createObject(
  store: ObjectStore,
  object: KubeObject,
  context: OperationContext,
  admit?: AdmitCreate,
): Promise<WriteResult> {
  manageFieldsOnCreate(store, object, context);
  if (!object.metadata.generateName || object.metadata.name) return createOnce(store, object, admit, context);
  for (let attempt = 1; ; attempt++) {
    try {
      return await createOnce(store, attempt < maxNameAttempts ? copyForAttempt(object) : object, admit, context);
    } catch (error) {
      if (attempt === maxNameAttempts || !hasReason(error, 'AlreadyExists')) throw error;
    }
  }
}

/** A copy that shares the field sets of its managers: these are frozen, and their texts are known. */
function copyForAttempt(object: KubeObject): KubeObject {
  const { managedFields } = object.metadata;
  if (managedFields === undefined) return cloneJson(object);
  const copy = cloneJson<KubeObject>({ ...object, metadata: { ...object.metadata, managedFields: [] } });
  copy.metadata.managedFields = managedFields.map((entry) => ({ ...entry }));
  return copy;
}

async function createOnce(
  store: ObjectStore,
  object: KubeObject,
  admit: AdmitCreate | undefined,
  context: OperationContext,
): Promise<WriteResult> {
  initializeMetadata(store, object, context);
  return withFinish(store, await store.strategy.beginCreate?.(object, context), async () => {
    await context.pace.between();
    await prepareCreate(store, object, context);
    if (admit !== undefined) await admit(object);
    await context.pace.between();
    return writeNew(store, object, context);
  });
}

/**
 * Runs the write, then reports its outcome to the finish function of the hook. `isWritten` says whether a result means
 * that the object was stored.
 */
export async function withFinish<T>(
  { facts, reportError }: Pick<ObjectStore, 'facts' | 'reportError'>,
  finish: Finish | undefined,
  write: () => Promise<T>,
  isWritten: (result: T) => boolean = () => true,
): Promise<T> {
  if (finish === undefined) return write();
  let outcome: WriteOutcome = 'failed';
  try {
    const result = await write();
    if (isWritten(result)) outcome = 'succeeded';
    return result;
  } catch (error) {
    if (isOutcomeUnknown(error)) outcome = 'unknown';
    throw error;
  } finally {
    // An error of the finish function does not change the response.
    await (async () => finish(outcome))().catch((error: unknown) =>
      reportError(`Failed to finish what a write of ${facts.resource} began`, error),
    );
  }
}

function writeNew(store: ObjectStore, object: KubeObject, context: OperationContext): Promise<WriteResult> {
  const span = storageSpan(store, 'Create', store.objectKey(context.namespace, object.metadata.name ?? ''));
  if (span === undefined) return putNew(store, object, context);
  return runSpan(span, putNew, store, object, context);
}

/** Stores an object that is complete and valid. */
export async function putNew(store: ObjectStore, object: KubeObject, context: OperationContext): Promise<WriteResult> {
  const name = object.metadata.name ?? '';
  const key = store.objectKey(context.namespace, name);
  const { resourceVersion = '' } = object.metadata;
  // Storage rejects a resourceVersion on create; a dry run never reaches storage.
  if (!context.dryRun && namesRevision(resourceVersion)) {
    throw new StatusError(failureStatus(500, '', 'resourceVersion should not be set on objects to be created'));
  }
  spanEvent('About to Encode');
  const encoded = await store.encode(object, context.pace);
  spanEvent('Encode succeeded', 'len', encoded.stored.length);
  if (context.dryRun) {
    await refuseExisting(store, key, object, context);
    return { entry: store.form.entryOf(key, withVersion(encoded, resourceVersion), 0), created: true };
  }
  const ttlSeconds = store.strategy.ttlSeconds?.(object);
  const write = timed(
    context.audit,
    'etcd',
    store.storage.create(key, encoded.stored, ttlSeconds === undefined ? {} : { ttlSeconds }),
  );
  try {
    const { revision } = await store.guard(write, 'create', name, context);
    spanEvent('Txn call succeeded');
    const entry = await store.written(key, encoded, revision);
    spanEvent('decode succeeded', 'len', encoded.stored.length);
    return { entry, created: true };
  } catch (error) {
    throw await describeExisting(store, key, object, error, context);
  }
}

async function refuseExisting(
  store: ObjectStore,
  key: string,
  object: KubeObject,
  context: OperationContext,
): Promise<void> {
  const { kv } = await store.guard(
    timed(context.audit, 'etcd', store.storage.get(key)),
    'get',
    object.metadata.name ?? '',
    context,
  );
  if (kv === undefined) return;
  throw await describeExisting(
    store,
    key,
    object,
    newAlreadyExists(store.resourceOf(context), object.metadata.name ?? ''),
    context,
  );
}

/**
 * The error for a name that is taken. For a generated name, the create is tried again with another name. The message
 * says so if the existing object is being deleted.
 */
async function describeExisting(
  store: ObjectStore,
  key: string,
  object: KubeObject,
  error: unknown,
  context: OperationContext,
): Promise<unknown> {
  if (!hasReason(error, 'AlreadyExists')) return error;
  const reported = object.metadata.generateName
    ? newGenerateNameConflict(store.resourceOf(context), object.metadata.name ?? '', 1)
    : error;
  const existing = await store.readCurrent(key).catch(() => undefined);
  if (existing === undefined) return reported;
  // Every version of an object has the same deletionTimestamp.
  const { metadata } = await paceOf(existing.json.length).run(parseEntry(existing));
  if (!metadata.deletionTimestamp) return reported;
  return new StatusError({ ...reported.status, message: `object is being deleted: ${reported.status.message ?? ''}` });
}

/** Keeps the resourceVersion of the body: a dry run answers with the object as it is before storage sets one. */
function withVersion(encoded: EncodedObject, version: string): EncodedObject {
  return version === '' ? encoded : { ...encoded, head: `${encoded.head}"resourceVersion":${quoteJson(version)},` };
}

/** A resourceVersion that is not a number counts as absent (apiserver storage/etcd3/store.go, Create). */
function namesRevision(text: string): boolean {
  const version = parseRevision(text);
  return typeof version === 'number' && version > 0;
}
