import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { podSecretNames } from '#shared/objects/pod-secrets.ts';
import { allContainers, isMirrorPod } from '#shared/objects/pod-spec.ts';

/** Names of the objects that a pod refers to in its namespace, without duplicates. */
export interface PodReferences {
  readonly serviceaccounts: readonly string[];
  readonly secrets: readonly string[];
  readonly configmaps: readonly string[];
  readonly persistentvolumeclaims: readonly string[];
  readonly resourceclaims: readonly string[];
}

const none: PodReferences = {
  serviceaccounts: [],
  secrets: [],
  configmaps: [],
  persistentvolumeclaims: [],
  resourceclaims: [],
};

/**
 * The objects that a node may read for a pod (plugin/pkg/auth/authorizer/node/graph.go AddPod). None for a mirror pod:
 * otherwise a node could grant itself access by creating one.
 */
export function podReferences(pod: KubeObject): PodReferences {
  if (isMirrorPod(pod)) return none;
  const spec = objectAt(pod, 'spec');
  return {
    serviceaccounts: distinct([stringAt(spec, 'serviceAccountName')]),
    secrets: distinct(podSecretNames(spec)),
    configmaps: distinct([...containerConfigMaps(spec), ...volumeConfigMaps(spec)]),
    persistentvolumeclaims: distinct(objectsAt(spec, 'volumes').map((volume) => volumeClaim(pod, volume))),
    resourceclaims: distinct(resourceClaims(pod)),
  };
}

function containerConfigMaps(spec: JsonObject | undefined): readonly string[] {
  return allContainers(spec).flatMap((container) => [
    ...objectsAt(container, 'envFrom').map((source) => stringAt(source, 'configMapRef', 'name')),
    ...objectsAt(container, 'env').map((variable) => stringAt(variable, 'valueFrom', 'configMapKeyRef', 'name')),
  ]);
}

function volumeConfigMaps(spec: JsonObject | undefined): readonly string[] {
  return objectsAt(spec, 'volumes').flatMap((volume) => [
    stringAt(volume, 'configMap', 'name'),
    ...objectsAt(volume, 'projected', 'sources').map((source) => stringAt(source, 'configMap', 'name')),
  ]);
}

/** An ephemeral volume has a claim of its own, which is called after the pod. */
function volumeClaim(pod: KubeObject, volume: JsonObject): string {
  if (volume['persistentVolumeClaim'] !== undefined) return stringAt(volume, 'persistentVolumeClaim', 'claimName');
  return volume['ephemeral'] === undefined ? '' : `${pod.metadata.name ?? ''}-${stringAt(volume, 'name')}`;
}

/** Claims that are created from a template are named in the status as soon as they exist. */
function resourceClaims(pod: KubeObject): readonly string[] {
  const made = new Map(
    objectsAt(pod, 'status', 'resourceClaimStatuses').map((status) => [
      stringAt(status, 'name'),
      stringAt(status, 'resourceClaimName'),
    ]),
  );
  const claims = objectsAt(pod, 'spec', 'resourceClaims').map((claim) => {
    if (claim['resourceClaimName'] !== undefined) return stringAt(claim, 'resourceClaimName');
    return claim['resourceClaimTemplateName'] === undefined ? '' : (made.get(stringAt(claim, 'name')) ?? '');
  });
  return [...claims, stringAt(pod, 'status', 'extendedResourceClaimStatus', 'resourceClaimName')];
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => name !== '');
}
