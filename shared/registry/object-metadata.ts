import { drawUuid } from '#shared/apimachinery/chance/draw.ts';
import { newBadRequest } from '#shared/apimachinery/errors/status.ts';
import type { ObjectMeta } from '#shared/apimachinery/object.ts';
import { addInt64 } from '#shared/apimachinery/values/int64.ts';
import { timeFromMs } from '#shared/apimachinery/values/time.ts';

/** Removes the metadata that only the server sets from the body of a create. */
export function wipeSystemFields(metadata: ObjectMeta): void {
  delete metadata.creationTimestamp;
  delete metadata.uid;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
}

/** @param subject names the object for its uid */
export function fillSystemFields(metadata: ObjectMeta, nowMs: number, subject: string): void {
  metadata.creationTimestamp = timeFromMs(nowMs);
  metadata.uid = drawUuid(subject);
}

/**
 * Sets the namespace of the request on the object; `''` removes it.
 * @throws StatusError 400 when the two differ
 */
export function matchNamespace(metadata: ObjectMeta, namespace: string): void {
  const present = metadata.namespace ?? '';
  if (present === namespace) return;
  if (namespace === '') delete metadata.namespace;
  else if (present === '') metadata.namespace = namespace;
  else throw newBadRequest('the namespace of the provided object does not match the namespace sent on the request');
}

/** The generation counts the changes of everything but metadata and status. */
export function raiseGeneration(metadata: ObjectMeta): void {
  metadata.generation = addInt64(metadata.generation ?? 0, 1);
}

const ownMembers = ['deletionTimestamp', 'selfLink', 'labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

/**
 * Restores the metadata that an update of a subresource may not change (apimachinery pkg/apis/meta/v1,
 * ResetObjectMetaForStatus).
 */
export function keepOwnMetadata(metadata: ObjectMeta, before: ObjectMeta): void {
  for (const key of ownMembers) keep(metadata, before, key);
}

/** Copies a member from the old object, or removes it if the old object has none. */
export function keep<T extends object>(target: T, source: T, key: keyof T): void {
  const value = source[key];
  if (value === undefined || value === null) delete target[key];
  else target[key] = value;
}
