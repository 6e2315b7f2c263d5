import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { DeletionPlan } from './before-delete.ts';
import type { DeleteRequest, SettledOptions } from './resource-store.ts';

/**
 * The strategy of the reference writes into the options of the request, which admission sees (registry/rest
 * BeforeDelete): the grace period of an object that was not being deleted, and one second for a negative one. What is
 * deleted in place asks for its own uid.
 *
 * @param stored as it was before the deletion was planned
 */
export function settledOptions(
  { gracePeriodSeconds, preconditions }: DeleteRequest,
  { metadata }: Pick<KubeObject, 'metadata'>,
  plan: DeletionPlan | undefined,
  isInPlace: boolean,
): SettledOptions {
  const seconds =
    plan?.kind === 'graceful' && !metadata.deletionTimestamp
      ? plan.seconds
      : plan !== undefined && gracePeriodSeconds !== undefined && gracePeriodSeconds < 0
        ? 1
        : undefined;
  const { uid } = metadata;
  return {
    ...(seconds === undefined ? {} : { gracePeriodSeconds: seconds }),
    ...(isInPlace && uid !== undefined ? { preconditions: { uid, ...preconditions } } : {}),
  };
}
