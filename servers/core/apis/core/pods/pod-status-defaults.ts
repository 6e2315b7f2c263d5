import { roundAmounts, roundResources } from '#servers/core/defaults/round-amounts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';

/** Defaults of a PodStatus. */
export function applyPodStatusDefaults(status: JsonObject): void {
  mirrorPodIp(status);
  for (const list of ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses'])
    for (const container of objectsAt(status, list)) roundAllocated(container);
  roundAllocated(status);
}

/** Keeps `podIP` equal to the first of `podIPs`; if they differ, `podIP` wins (pkg/apis/core/v1/conversion.go). */
function mirrorPodIp(status: JsonObject): void {
  const [first] = objectsAt(status, 'podIPs');
  const ip = stringAt(status, 'podIP');
  if (ip !== '' && stringAt(first, 'ip') !== ip) status['podIPs'] = [{ ip }];
  else if (first) status['podIP'] = stringAt(first, 'ip');
}

function roundAllocated(status: JsonObject): void {
  roundAmounts(objectAt(status, 'allocatedResources'));
  roundResources(objectAt(status, 'resources'));
}
