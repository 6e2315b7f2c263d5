import type { Gates } from '#servers/core/gates/gates.ts';
import { getKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt } from '#shared/apimachinery/object.ts';
import { equalQuantityTexts } from '#shared/apimachinery/values/quantity.ts';

const qosResources = ['cpu', 'memory'];

/** Quality of service class (pkg/apis/core/helper/qos): Guaranteed, Burstable or BestEffort. */
export function podQosClass(spec: JsonObject, gates: Gates): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const podLevel = gates.PodLevelResources ? objectAt(spec, 'resources') : undefined;
  const bodies = podLevel
    ? [podLevel]
    : [...objectsAt(spec, 'initContainers'), ...objectsAt(spec, 'containers')].map(
        (c) => objectAt(c, 'resources') ?? {},
      );
  let any = false;
  let guaranteed = true;
  for (const body of bodies) {
    const requests = amounts(objectAt(body, 'requests'));
    const limits = amounts(objectAt(body, 'limits'));
    if (requests.size > 0 || limits.size > 0) any = true;
    if (limits.size < qosResources.length) guaranteed = false;
    // A resource without a request counts as a request of zero.
    for (const [name, amount] of limits) if (!equalQuantityTexts(requests.get(name) ?? '0', amount)) guaranteed = false;
  }
  if (!any) return 'BestEffort';
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

/** Amounts above zero of the resources that count, in their canonical form. */
function amounts(list: JsonObject | undefined): Map<string, string> {
  const found = new Map<string, string>();
  if (!list) return found;
  for (const name of qosResources) {
    const amount = getKey(list, name);
    if (amount !== undefined && amount !== '0' && !String(amount).startsWith('-')) found.set(name, String(amount));
  }
  return found;
}
