import { newRequestEntityTooLarge } from '#shared/apimachinery/errors/status.ts';
import { getKey, setKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt, stringMapAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject } from '#shared/apimachinery/set-default.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import { podSpec } from '#shared/objects/pod-spec.ts';
import { maxRequestBytes } from '#shared/storage/etcd-wire/request-limit.ts';

const annotation = 'kubernetes.io/limit-ranger';
/** Each default adds at least 8 bytes to the pod, so that storage would refuse one of more. */
const maxDefaults = maxRequestBytes / 8;

/**
 * Sets missing requests and limits of containers to the defaults of the ranges, and records them in an annotation.
 * @throws StatusError 413 before a pod is made that storage cannot take: containers and resources multiply.
 */
export function setContainerDefaults(ranges: readonly KubeObject[], pod: KubeObject): void {
  const budget: Budget = { left: maxDefaults };
  for (const range of ranges) setDefaultsOf(range, pod, budget);
}

interface Budget {
  /** Requests and limits that may still be set. */
  left: number;
}

function setDefaultsOf(range: KubeObject, pod: KubeObject, budget: Budget): void {
  const requests = new Map<string, string>();
  const limits = new Map<string, string>();
  for (const limit of objectsAt(range, 'spec', 'limits')) {
    if (stringAt(limit, 'type') !== 'Container') continue;
    for (const [name, text] of stringMapAt(limit, 'defaultRequest')) requests.set(name, text);
    for (const [name, text] of stringMapAt(limit, 'default')) limits.set(name, text);
  }
  const spec = podSpec(pod);
  const notes = (
    [
      ['containers', 'container'],
      ['initContainers', 'init container'],
    ] as const
  ).flatMap(([list, what]) =>
    objectsAt(spec, list).flatMap((container) => {
      const name = `${what} ${stringAt(container, 'name')}`;
      const setLimits = setMissing(container, 'limits', limits);
      const setRequests = setMissing(container, 'requests', requests);
      budget.left -= setLimits.length + setRequests.length;
      if (budget.left < 0)
        throw newRequestEntityTooLarge(
          `LimitRanges would set more than ${maxDefaults} requests and limits of the pod's containers`,
        );
      return [
        ...(setRequests.length === 0 ? [] : [`${setRequests.join(', ')} request for ${name}`]),
        ...(setLimits.length === 0 ? [] : [`${setLimits.join(', ')} limit for ${name}`]),
      ];
    }),
  );
  if (notes.length > 0)
    ensureObject(pod.metadata, 'annotations')[annotation] = `LimitRanger plugin set: ${notes.join('; ')}`;
}

function setMissing(
  container: JsonObject,
  list: 'requests' | 'limits',
  defaults: ReadonlyMap<string, string>,
): string[] {
  const set: string[] = [];
  for (const [name, text] of defaults) {
    const present = ensureObject(ensureObject(container, 'resources'), list);
    if (getKey(present, name) !== undefined) continue;
    setKey(present, name, text);
    set.push(name);
  }
  return set.sort(compareUtf8);
}
