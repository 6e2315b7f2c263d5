import type { CoreContext } from '#servers/core/context/core-context.ts';
import { invalid, path } from '#shared/apimachinery/errors/field-error.ts';
import {
  failureStatus,
  newBadRequest,
  newConflict,
  newForbidden,
  newInvalid,
  newTooManyRequests,
  StatusError,
} from '#shared/apimachinery/errors/status.ts';
import { setKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import {
  booleanAt,
  int64At,
  type KubeObject,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  stringsAt,
} from '#shared/apimachinery/object.ts';
import { labelSelectorAsSelector, matchesLabels } from '#shared/apimachinery/selectors/labels.ts';
import { ensureObject } from '#shared/apimachinery/set-default.ts';
import { timeFromMs } from '#shared/apimachinery/values/time.ts';
import { preconditionsOf, readDeleteOptions } from '#shared/registry/delete-options.ts';
import { mismatchWithRecord } from '#shared/registry/preconditions.ts';
import type { DeleteRequest, Preconditions } from '#shared/registry/resource-store.ts';
import type { OperationContext } from '#shared/registry/strategy.ts';
import { successStatus } from './success-status.ts';

/** Deletes objects that cannot be read; not for pods that are evicted. */
const unsafeOption = 'ignoreStoreReadErrorWithClusterBreakingPotential';
const budgetResource = { group: 'policy', resource: 'poddisruptionbudget' };
const refusal = "Cannot evict pod as it would violate the pod's disruption budget.";
/** Maximum of evictions that the disruption controller has not confirmed yet. */
const maxDisruptedPods = 2000;

/** Deletes a pod if its disruption budget allows (pkg/registry/core/pod/storage EvictionREST). */
export function evictPod(core: CoreContext) {
  return async (name: string, eviction: KubeObject, context: OperationContext): Promise<KubeObject> => {
    if (stringAt(eviction, 'metadata', 'name') !== name)
      throw newBadRequest('name in URL does not match name in Eviction object');
    const options = objectAt(eviction, 'deleteOptions') ?? {};
    if (booleanAt(options, unsafeOption) === true) throw unsafeDeletion(name);
    const dryRun = dryRunOf(options, context);
    const pods = core.store('', 'pods');
    const pod = pods.parse(await pods.get(context.namespace, name));
    const evicting = { ...context, dryRun: dryRun.length > 0 };
    if (!isBeyondBudgets(pod)) await takeFromBudget(core, pod, evicting);
    const markedVersion = evicting.dryRun
      ? undefined
      : await markDisrupted(core, name, preconditionsOf(options), evicting);
    // As in the reference, wrong options are refused only here, when the pod is marked already.
    await pods.delete(name, withVersion(readDeleteOptions({ ...options, dryRun }), markedVersion), evicting);
    return successStatus(201);
  };
}

function unsafeDeletion(name: string): StatusError {
  return newInvalid({ group: 'policy', kind: 'Eviction' }, name, [
    invalid(
      path('deleteOptions', unsafeOption),
      true,
      'can not be set for pod eviction, try after removing the option',
    ),
  ]);
}

/** The dry run that the query or the body asks for; if both do, they must ask for the same. */
function dryRunOf(options: JsonObject, { dryRunValues = [] }: OperationContext): string[] {
  const [asked, own] = [[...dryRunValues], [...stringsAt(options, 'dryRun')]];
  if (own.length === 0 || asked.length === 0) return own.length === 0 ? asked : own;
  if (own.join() === asked.join()) return own;
  const message = `Non-matching dry-run options in request and content: [${asked.join(' ')}] and [${own.join(' ')}]`;
  throw new StatusError(failureStatus(500, '', message));
}

/** Whether the eviction needs no budget: the pod has finished, is pending, or is being deleted already. */
function isBeyondBudgets(pod: KubeObject): boolean {
  const phase = stringAt(pod, 'status', 'phase');
  return ['Succeeded', 'Failed', 'Pending'].includes(phase) || pod.metadata.deletionTimestamp !== undefined;
}

async function takeFromBudget(core: CoreContext, pod: KubeObject, context: OperationContext): Promise<void> {
  const budgets = core.store('policy', 'poddisruptionbudgets');
  await budgets.cache.waitForCurrent();
  const matching: KubeObject[] = [];
  for (const entry of budgets.cache.snapshot().entries(budgets.key(context.namespace))) {
    const budget = budgets.parse(entry);
    const selector = objectAt(budget, 'spec', 'selector');
    if (matchesLabels(labelSelectorAsSelector(selector), pod.metadata.labels)) matching.push(budget);
  }
  if (matching.length > 1) {
    throw new StatusError(
      failureStatus(
        500,
        '',
        'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      ),
    );
  }
  const budget = matching[0];
  if (!budget || (!isReady(pod) && unhealthyMayGo(budget))) return;
  // The reference writes budgets with a client of its own, so the field manager is kube-apiserver.
  await budgets.update(
    {
      name: budget.metadata.name ?? '',
      subresource: 'status',
      retryOnConflict: true,
      transform: (existing) => takeOne(existing as KubeObject, pod.metadata.name ?? '', context),
    },
    { ...context, subresource: 'status', fieldManager: 'kube-apiserver' },
  );
}

function isReady(pod: KubeObject): boolean {
  return objectsAt(pod, 'status', 'conditions').some(
    (c) => stringAt(c, 'type') === 'Ready' && stringAt(c, 'status') === 'True',
  );
}

/** Whether a pod that is not ready may be evicted without using the budget (KEP-3017). */
function unhealthyMayGo(budget: KubeObject): boolean {
  if (stringAt(budget, 'spec', 'unhealthyPodEvictionPolicy') === 'AlwaysAllow') return true;
  const healthy = numberAt(budget, 'status', 'currentHealthy') ?? 0;
  const desired = numberAt(budget, 'status', 'desiredHealthy') ?? 0;
  return healthy >= desired && desired > 0;
}

function takeOne(budget: KubeObject, podName: string, context: OperationContext): KubeObject {
  const status = ensureObject(budget, 'status');
  const name = budget.metadata.name ?? '';
  const allowed = numberAt(status, 'disruptionsAllowed') ?? 0;
  if ((int64At(status, 'observedGeneration') ?? 0) < (budget.metadata.generation ?? 0)) {
    throw refused(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  if (allowed < 0) throw newForbidden(budgetResource, name, 'pdb disruptions allowed is negative');
  if (Object.keys(objectAt(status, 'disruptedPods') ?? {}).length > maxDisruptedPods) {
    throw newForbidden(
      budgetResource,
      name,
      'DisruptedPods map too big - too many evictions not confirmed by PDB controller',
    );
  }
  if (allowed === 0) throw refused(exhausted(name, status), 0);
  status['disruptionsAllowed'] = allowed - 1;
  if (allowed === 1) closeBudget(budget, status, context);
  setKey(ensureObject(status, 'disruptedPods'), podName, timeFromMs(context.nowMs));
  return budget;
}

function refused(cause: string, retryAfterSeconds: number): StatusError {
  const error = newTooManyRequests(refusal, retryAfterSeconds);
  const details = ensureObject(error.status, 'details');
  details['causes'] = [{ reason: 'DisruptionBudget', message: cause }];
  return error;
}

function exhausted(name: string, status: JsonObject): string {
  const condition = objectsAt(status, 'conditions').find((c) => stringAt(c, 'type') === 'DisruptionAllowed');
  const message = stringAt(condition, 'status') === 'False' ? stringAt(condition, 'message') : '';
  const reason = stringAt(condition, 'reason');
  const healthy = numberAt(status, 'currentHealthy') ?? 0;
  const desired = numberAt(status, 'desiredHealthy') ?? 0;
  const head = `The disruption budget ${name}`;
  if (message !== '' && reason === 'SyncFailed')
    return `${head} does not allow evicting pods currently because it failed sync: ${message}`;
  if (healthy <= desired) return `${head} needs ${desired} healthy pods and has ${healthy} currently`;
  return message === ''
    ? `${head} does not allow evicting pods currently`
    : `${head} does not allow evicting pods currently (${reason}): ${message}`;
}

function closeBudget(budget: KubeObject, status: JsonObject, context: OperationContext): void {
  const others = objectsAt(status, 'conditions').filter((c) => stringAt(c, 'type') !== 'DisruptionAllowed');
  status['conditions'] = [
    ...others,
    {
      type: 'DisruptionAllowed',
      status: 'False',
      reason: 'InsufficientPods',
      message: '',
      observedGeneration: budget.metadata.generation ?? 0,
      lastTransitionTime: timeFromMs(context.nowMs),
    },
  ];
}

/**
 * Adds the condition DisruptionTarget to the pod, if it meets the preconditions (KEP-3329). Returns the
 * resourceVersion of the marked pod.
 */
async function markDisrupted(
  core: CoreContext,
  name: string,
  preconditions: Preconditions | undefined,
  context: OperationContext,
): Promise<string> {
  const { entry } = await core.store('', 'pods').update(
    {
      name,
      subresource: 'status',
      retryOnConflict: true,
      transform(existing) {
        const pod = existing as KubeObject;
        const failure = mismatchWithRecord(withoutEmpty(preconditions), pod);
        if (failure !== undefined) throw newConflict({ group: '', resource: 'Pod' }, name, failure);
        const status = ensureObject(pod, 'status');
        const others = objectsAt(status, 'conditions').filter((c) => stringAt(c, 'type') !== 'DisruptionTarget');
        status['conditions'] = [
          ...others,
          {
            type: 'DisruptionTarget',
            status: 'True',
            reason: 'EvictionByEvictionAPI',
            message: 'Eviction API: evicting',
            lastTransitionTime: timeFromMs(context.nowMs),
          },
        ];
        return pod;
      },
    },
    context,
  );
  return String(entry.revision);
}

/** The mark ignores empty preconditions; the deletion does not. */
function withoutEmpty({ uid = '', resourceVersion = '' }: Preconditions = {}): Preconditions {
  return { ...(uid === '' ? {} : { uid }), ...(resourceVersion === '' ? {} : { resourceVersion }) };
}

/** Replaces a requested resourceVersion, which is that of the pod before it was marked, by the new one. */
function withVersion(request: DeleteRequest, markedVersion: string | undefined): DeleteRequest {
  if (markedVersion === undefined || request.preconditions?.resourceVersion === undefined) return request;
  return { ...request, preconditions: { ...request.preconditions, resourceVersion: markedVersion } };
}
