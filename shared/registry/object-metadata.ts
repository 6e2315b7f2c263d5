import { randomUUID } from 'node:crypto';
import type { ObjectMeta } from '../apimachinery/object.ts';
import { newBadRequest } from '../apimachinery/status.ts';
import { timeFromMs } from '../apimachinery/time.ts';

/** Removes what only the server sets, on a body that creates an object. */
export function wipeSystemFields(metadata: ObjectMeta): void {
  delete metadata.creationTimestamp;
  delete metadata.uid;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
}

export function fillSystemFields(metadata: ObjectMeta, nowMs: number): void {
  metadata.creationTimestamp = timeFromMs(nowMs);
  metadata.uid = randomUUID();
}

/**
 * Gives the object the namespace of the request; `''` takes it away.
 * @throws StatusError 400 when the two differ
 */
export function matchNamespace(metadata: ObjectMeta, namespace: string): void {
  const present = metadata.namespace ?? '';
  if (present === namespace) return;
  if (namespace === '') delete metadata.namespace;
  else if (present === '') metadata.namespace = namespace;
  else throw newBadRequest('the namespace of the provided object does not match the namespace sent on the request');
}

/** Generation counts the changes of what is wanted: everything but metadata and status. */
export function raiseGeneration(metadata: ObjectMeta): void {
  metadata.generation = (metadata.generation ?? 0) + 1;
}

const ownMembers = ['deletionTimestamp', 'selfLink', 'labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

/**
 * Brings back what writes of the status and of other parts leave alone; the generation is kept by all writes
 * (apimachinery pkg/apis/meta/v1, ResetObjectMetaForStatus).
 */
export function keepOwnMetadata(metadata: ObjectMeta, before: ObjectMeta): void {
  for (const key of ownMembers) keep(metadata, before, key);
}

/** Copies a member from the old state, or takes it away. */
export function keep<T extends object>(target: T, source: T, key: keyof T): void {
  const value = source[key];
  if (value === undefined || value === null) delete target[key];
  else target[key] = value;
}
