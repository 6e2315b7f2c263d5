import type { Gates } from '#servers/core/gates/gates.ts';
import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';

/**
 * Turns the label keys of affinity terms and spread constraints into requirements in the selectors beside them, with
 * the values that the new pod has for these labels (KEP-3633, KEP-3243; pkg/registry/core/pod, mutatePodAffinity and
 * mutateTopologySpreadConstraints).
 */
export function mergeLabelKeys(pod: KubeObject, gates: Gates): void {
  const spec = objectAt(pod, 'spec');
  const labels = pod.metadata.labels ?? {};
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    const affinity = objectAt(spec, 'affinity', kind);
    const preferred = objectsAt(affinity, 'preferredDuringSchedulingIgnoredDuringExecution').map(
      (term) => objectAt(term, 'podAffinityTerm') ?? {},
    );
    for (const term of [...preferred, ...objectsAt(affinity, 'requiredDuringSchedulingIgnoredDuringExecution')]) {
      require(term, 'matchLabelKeys', 'In', labels);
      require(term, 'mismatchLabelKeys', 'NotIn', labels);
    }
  }
  if (!gates.MatchLabelKeysInPodTopologySpread || !gates.MatchLabelKeysInPodTopologySpreadSelectorMerge) return;
  for (const constraint of objectsAt(spec, 'topologySpreadConstraints'))
    require(constraint, 'matchLabelKeys', 'In', labels);
}

/** Adds requirements to the selector of a term. A term without a selector selects nothing and stays as it is. */
function require(term: JsonObject, keys: string, operator: string, labels: JsonObject): void {
  const selector = term['labelSelector'];
  if (!isObject(selector)) return;
  const requirements = stringsAt(term, keys).flatMap((key): JsonValue[] => {
    const value = getKey(labels, key);
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  });
  if (requirements.length > 0)
    selector['matchExpressions'] = [...objectsAt(selector, 'matchExpressions'), ...requirements];
}
