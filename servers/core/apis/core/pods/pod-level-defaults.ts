import { setKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt } from '#shared/apimachinery/object.ts';
import { ensureObject } from '#shared/apimachinery/set-default.ts';
import { formatQuantity } from '#shared/apimachinery/values/quantity.ts';
import { isPodLevelResource, podAmounts } from '#shared/objects/pod-resources.ts';

const isHugePages = (name: string): boolean => name.startsWith('hugepages-');

/**
 * Completes the pod-level requests and limits of a pod that sets some of them: missing amounts come from its
 * containers, and missing requests from limits (KEP-2837; pkg/apis/core/v1/defaults.go, after the defaults of
 * containers).
 */
export function applyPodLevelDefaults(spec: JsonObject): void {
  const resources = objectAt(spec, 'resources');
  if (resources === undefined) return;
  if (isGiven(resources, 'limits') || isGiven(resources, 'requests')) limitHugePages(spec, resources);
  if (!isGiven(resources, 'limits')) return;
  const amounts = {
    ...objectAt(resources, 'limits'),
    ...ofContainers(spec, 'requests', (name) => isPodLevelResource(name) && !isHugePages(name)),
  };
  for (const [name, amount] of Object.entries(amounts))
    if (isPodLevelResource(name)) setMissing(resources, 'requests', name, amount);
}

function limitHugePages(spec: JsonObject, resources: JsonObject): void {
  const requests = objectAt(resources, 'requests') ?? {};
  for (const [name, amount] of Object.entries(ofContainers(spec, 'limits', isHugePages))) {
    if (!Object.hasOwn(requests, name)) setMissing(resources, 'limits', name, amount);
  }
}

function ofContainers(spec: JsonObject, what: 'requests' | 'limits', counts: (name: string) => boolean): JsonObject {
  const amounts = podAmounts(spec, what, false, () => false);
  return Object.fromEntries(
    [...amounts].filter(([name]) => counts(name)).map(([name, amount]) => [name, formatQuantity(amount)]),
  );
}

function isGiven(resources: JsonObject, list: string): boolean {
  return Object.keys(objectAt(resources, list) ?? {}).length > 0;
}

function setMissing(resources: JsonObject, list: string, name: string, amount: JsonObject[string]): void {
  const amounts = ensureObject(resources, list);
  if (!Object.hasOwn(amounts, name) && amount !== undefined) setKey(amounts, name, amount);
}
