import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import { objectNowMs } from '#shared/apimachinery/chance/object-clock.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { int64At, type KubeObject, objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import { durationMs } from '#shared/apimachinery/values/int64.ts';
import type { Quantity } from '#shared/apimachinery/values/quantity-parse.ts';
import { quantityOf } from '#shared/apimachinery/values/quantity.ts';
import { timeToMs } from '#shared/apimachinery/values/time.ts';
import { amountsOf, isPodLevelResource, podAmounts, type Amounts } from '#shared/objects/pod-resources.ts';
import { podSpec } from '#shared/objects/pod-spec.ts';
import { inPodScope, isTerminating } from './pod-scopes.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';

const compute: readonly string[] = ['cpu', 'memory', 'ephemeral-storage'];
const names: ReadonlySet<string> = new Set([
  'count/pods',
  'pods',
  ...compute.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);
/** Resources that every container must specify if a quota limits them. */
const demanded: ReadonlySet<string> = new Set(
  ['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
);

/** Counts pods and their requests and limits (pkg/quota/v1/evaluator/core/pods.go); amounts in status are ignored. */
export class PodQuota implements QuotaEvaluator {
  handles({ operation, subresource, object, oldObject }: AdmissionAttributes): boolean {
    if (subresource === 'resize') return operation === 'UPDATE';
    if (subresource !== '') return false;
    if (operation === 'UPDATE')
      return object !== undefined && oldObject !== undefined && isTerminating(object) !== isTerminating(oldObject);
    return operation === 'CREATE';
  }

  matchingResources(wanted: readonly string[]): string[] {
    return wanted
      .filter(
        (name) =>
          names.has(name) ||
          name.startsWith('hugepages-') ||
          name.startsWith('requests.hugepages-') ||
          isExtendedRequest(name),
      )
      .sort(compareUtf8);
  }

  matchesScope(requirement: JsonObject, pod: KubeObject): boolean {
    return inPodScope(requirement, pod);
  }

  missing(required: readonly string[], pod: KubeObject): string | undefined {
    const spec = podSpec(pod);
    if (
      (['requests', 'limits'] as const).some((what) =>
        Object.keys(objectAt(spec, 'resources', what) ?? {}).some((name) => isPodLevelResource(name)),
      )
    )
      return undefined;
    const wanted = required.filter((name) => demanded.has(name)).sort(compareUtf8);
    const containers = [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')].map((container) => ({
      name: stringAt(container, 'name'),
      said: computeUsage(
        amountsOf(objectAt(container, 'resources', 'requests')),
        amountsOf(objectAt(container, 'resources', 'limits')),
      ),
    }));
    const lines = wanted.flatMap((name) => {
      const silent = new Set(containers.filter(({ said }) => !said.has(name)).map((container) => container.name));
      return silent.size === 0 ? [] : [`${name} for: ${[...silent].sort(compareUtf8).join(',')}`];
    });
    return lines.length === 0 ? undefined : `must specify ${lines.join('; ')}`;
  }

  usage(pod: KubeObject): Amounts {
    const count = ['count/pods', quantityOf(1)] as const;
    if (!countsAsRunning(pod)) return new Map([count]);
    const spec = podSpec(pod);
    return new Map([count, ...computeUsage(podAmounts(spec, 'requests', true), podAmounts(spec, 'limits', true))]);
  }
}

function computeUsage(requests: Amounts, limits: Amounts): Map<string, Quantity> {
  const usage = new Map<string, Quantity>([['pods', quantityOf(1)]]);
  for (const [name, quantity] of requests) {
    if (compute.includes(name) || name.startsWith('hugepages-'))
      usage.set(name, quantity).set(`requests.${name}`, quantity);
    else if (isExtended(name)) usage.set(`requests.${name}`, quantity);
  }
  for (const name of compute) {
    const limit = limits.get(name);
    if (limit !== undefined) usage.set(`limits.${name}`, limit);
  }
  return usage;
}

function isExtended(name: string): boolean {
  return name.includes('/') && !name.includes('kubernetes.io/') && !name.startsWith('requests.');
}

function isExtendedRequest(name: string): boolean {
  if (!name.startsWith('requests.')) return false;
  return (
    (name.includes('/') && !name.includes('kubernetes.io/')) ||
    name.startsWith('requests.deviceclass.resource.kubernetes.io/')
  );
}

/** False for pods that have ended, or should have ended by now: they use no resources. */
function countsAsRunning(pod: KubeObject): boolean {
  const phase = stringAt(pod, 'status', 'phase');
  if (phase === 'Failed' || phase === 'Succeeded') return false;
  const grace = int64At(pod.metadata, 'deletionGracePeriodSeconds');
  if (!pod.metadata.deletionTimestamp || grace === undefined) return true;
  return objectNowMs() <= (timeToMs(pod.metadata.deletionTimestamp) ?? 0) + durationMs(grace);
}
