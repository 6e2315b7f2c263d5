import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject } from '#shared/apimachinery/set-default.ts';

/** The lists of a pod's containers in the order in which the reference visits them. */
export const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** The spec of a pod to be changed. */
export function podSpec(pod: KubeObject): JsonObject {
  return ensureObject(pod, 'spec');
}

/** Containers of every kind. */
export function allContainers(spec: JsonObject | undefined): readonly JsonObject[] {
  return containerLists.flatMap((list) => objectsAt(spec, list));
}

export const mirrorPodAnnotation = 'kubernetes.io/config.mirror';

export function isMirrorPod(pod: KubeObject): boolean {
  return objectAt(pod.metadata, 'annotations')?.[mirrorPodAnnotation] !== undefined;
}
