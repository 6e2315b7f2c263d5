import { newConflict } from '#shared/apimachinery/errors/status.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { durationMs, type Int64 } from '#shared/apimachinery/values/int64.ts';
import { timeFromMs, timeToMs } from '#shared/apimachinery/values/time.ts';
import { raiseGeneration } from './object-metadata.ts';
import type { ObjectStore } from './object-store.ts';
import { mismatchWithRecord } from './preconditions.ts';
import type { DeleteRequest } from './resource-store.ts';
import type { OperationContext } from './strategy.ts';

/**
 * How a deletion proceeds: `now` removes, `graceful` marks the object and waits for `seconds`, `pending` leaves an
 * earlier graceful deletion as it is.
 */
export type DeletionPlan =
  | { readonly kind: 'now' }
  | { readonly kind: 'graceful'; readonly seconds: Int64 }
  | { readonly kind: 'pending' };

/**
 * Decides how a deletion proceeds, and sets deletionTimestamp in place if it is graceful (apiserver registry/rest
 * BeforeDelete). Throws 409 when a precondition does not hold.
 */
export function prepareDelete(
  store: ObjectStore,
  object: KubeObject,
  request: DeleteRequest,
  context: OperationContext,
): DeletionPlan {
  checkPreconditions(store, object, request);
  const requested =
    request.gracePeriodSeconds !== undefined && request.gracePeriodSeconds < 0 ? 1 : request.gracePeriodSeconds;
  const { metadata } = object;
  const { strategy } = store;
  if (!('gracePeriodSeconds' in strategy)) return { kind: 'now' };
  if (metadata.deletionGracePeriodSeconds != null && metadata.deletionGracePeriodSeconds < 0)
    metadata.deletionGracePeriodSeconds = 1;
  if (metadata.deletionTimestamp) return shortenGrace(object, requested, context);

  const seconds = strategy.gracePeriodSeconds?.(object, requested);
  if (seconds === undefined) return { kind: 'now' };
  metadata.deletionTimestamp = timeFromMs(context.nowMs + durationMs(seconds));
  metadata.deletionGracePeriodSeconds = seconds;
  if ((metadata.generation ?? 0) > 0) raiseGeneration(metadata);
  return { kind: 'graceful', seconds };
}

/** A second request may only shorten the wait, and never into the past. */
function shortenGrace(object: KubeObject, requested: Int64 | undefined, context: OperationContext): DeletionPlan {
  const { metadata } = object;
  const present = metadata.deletionGracePeriodSeconds ?? 0;
  if (present === 0) return { kind: 'now' };
  if (requested === undefined || requested >= present) return { kind: 'pending' };
  const asked = timeToMs(metadata.deletionTimestamp) ?? context.nowMs;
  const due = asked - durationMs(present) + durationMs(requested);
  const isOverdue = due < context.nowMs;
  const seconds = isOverdue && requested !== 0 ? 1 : requested;
  metadata.deletionTimestamp = timeFromMs(isOverdue ? context.nowMs : due);
  metadata.deletionGracePeriodSeconds = seconds;
  return { kind: 'graceful', seconds };
}

/** Checked early because the message differs from that of storage; the write checks the preconditions again. */
function checkPreconditions(store: ObjectStore, object: KubeObject, request: DeleteRequest): void {
  const failure = mismatchWithRecord(request.preconditions, object);
  if (failure !== undefined)
    throw newConflict({ group: store.kind.group, resource: store.kind.kind }, object.metadata.name ?? '', failure);
}

/** Sets deletionTimestamp with a grace period of zero, for an object that only its finalizers hold back. */
export function markAsDeleting(object: KubeObject, context: OperationContext): void {
  const { metadata } = object;
  if (!metadata.deletionTimestamp && (metadata.generation ?? 0) > 0) raiseGeneration(metadata);
  const present = timeToMs(metadata.deletionTimestamp);
  if (present === undefined || present > context.nowMs) metadata.deletionTimestamp = timeFromMs(context.nowMs);
  metadata.deletionGracePeriodSeconds = 0;
}
