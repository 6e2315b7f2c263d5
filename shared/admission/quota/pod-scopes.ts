import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, objectsAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { isZeroQuantity } from '#shared/apimachinery/values/quantity.ts';
import { amountsOf } from '#shared/objects/pod-resources.ts';
import { podSpec } from '#shared/objects/pod-spec.ts';
import { meetsRequirement } from './scope-requirement.ts';

/** Whether the pod may run for a limited time only. */
export function isTerminating(pod: KubeObject): boolean {
  return (numberAt(podSpec(pod), 'activeDeadlineSeconds') ?? -1) >= 0;
}

/** Whether the pod is in the scope of the requirement. */
export function inPodScope(requirement: JsonObject, pod: KubeObject): boolean {
  switch (stringAt(requirement, 'scopeName')) {
    case 'Terminating':
      return isTerminating(pod);
    case 'NotTerminating':
      return !isTerminating(pod);
    case 'BestEffort':
      return isBestEffort(pod);
    case 'NotBestEffort':
      return !isBestEffort(pod);
    case 'PriorityClass': {
      const className = stringAt(podSpec(pod), 'priorityClassName') || undefined;
      return stringAt(requirement, 'operator') === 'Exists'
        ? className !== undefined
        : meetsRequirement(requirement, className);
    }
    case 'CrossNamespacePodAffinity':
      return hasCrossNamespaceAffinity(podSpec(pod));
    default:
      return false;
  }
}

/** Whether the pod asks for no CPU and no memory at all. */
export function isBestEffort(pod: KubeObject): boolean {
  const known = stringAt(pod, 'status', 'qosClass');
  if (known !== '') return known === 'BestEffort';
  const spec = podSpec(pod);
  const holders = [spec, ...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')];
  return holders.every((holder) =>
    (['requests', 'limits'] as const).every((what) => {
      const amounts = amountsOf(objectAt(holder, 'resources', what));
      return ['cpu', 'memory'].every((name) =>
        isZeroQuantity(amounts.get(name) ?? { unscaled: 0n, scale: 0, format: 'DecimalSI', wide: false }),
      );
    }),
  );
}

function hasCrossNamespaceAffinity(spec: JsonObject): boolean {
  return ['podAffinity', 'podAntiAffinity'].some((kind) => {
    const affinity = objectAt(spec, 'affinity', kind);
    const preferred = objectsAt(affinity, 'preferredDuringSchedulingIgnoredDuringExecution').map((term) =>
      objectAt(term, 'podAffinityTerm'),
    );
    return [...objectsAt(affinity, 'requiredDuringSchedulingIgnoredDuringExecution'), ...preferred].some(
      (term) => stringsAt(term, 'namespaces').length > 0 || objectAt(term, 'namespaceSelector') !== undefined,
    );
  });
}
