import { compareUtf8 } from '../../../../shared/apimachinery/go-format.ts';
import { getKey, setKey, type JsonObject } from '../../../../shared/apimachinery/json.ts';
import { objectsAt, stringAt, stringMapAt, type KubeObject } from '../../../../shared/apimachinery/object.ts';
import { ensureObject } from '../../../../shared/apimachinery/set-default.ts';
import { podSpec } from '../../../../shared/admission/objects/pod-spec.ts';

const annotation = 'kubernetes.io/limit-ranger';

/** Sets missing requests and limits of containers to the defaults of the range, and records them in an annotation. */
export function setContainerDefaults(range: KubeObject, pod: KubeObject): void {
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
