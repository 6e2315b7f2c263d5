import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { allContainers } from './pod-spec.ts';

/** The paths at which volumes name a secret, beginning with the source. */
const volumeSecrets: readonly (readonly string[])[] = [
  ['azureFile', 'secretName'],
  ['cephfs', 'secretRef', 'name'],
  ['cinder', 'secretRef', 'name'],
  ['flexVolume', 'secretRef', 'name'],
  ['rbd', 'secretRef', 'name'],
  ['scaleIO', 'secretRef', 'name'],
  ['iscsi', 'secretRef', 'name'],
  ['storageos', 'secretRef', 'name'],
  ['csi', 'nodePublishSecretRef', 'name'],
  ['secret', 'secretName'],
];

/** Whether anything in the pod names a secret (pkg/api/pod VisitPodSecretNames). */
export function namesSecrets(spec: JsonObject | undefined): boolean {
  if (objectsAt(spec, 'imagePullSecrets').length > 0) return true;
  if (allContainers(spec).some((container) => containerSecrets(container).length > 0)) return true;
  return objectsAt(spec, 'volumes').some((volume) => {
    if (volumeSecrets.some((path) => stringAt(volume, ...path) !== '')) return true;
    return objectsAt(volume, 'projected', 'sources').some((source) => objectAt(source, 'secret') !== undefined);
  });
}

/** Every secret that the pod names; the list may hold duplicates. */
export function podSecretNames(spec: JsonObject | undefined): readonly string[] {
  const volumes = objectsAt(spec, 'volumes');
  const names = [
    ...objectsAt(spec, 'imagePullSecrets').map((reference) => stringAt(reference, 'name')),
    ...allContainers(spec).flatMap((container) => containerSecrets(container).map(({ secret }) => secret)),
    ...volumes.flatMap((volume) => volumeSecrets.map((path) => stringAt(volume, ...path))),
    ...volumes.flatMap((volume) =>
      objectsAt(volume, 'projected', 'sources').map((source) => stringAt(source, 'secret', 'name')),
    ),
  ];
  return names.filter((name) => name !== '');
}

/** A secret that a container reads: by one variable, or (with an empty name) all of it. */
export interface ContainerSecret {
  readonly variable: string;
  readonly secret: string;
}

export function containerSecrets(container: JsonObject): readonly ContainerSecret[] {
  const found: ContainerSecret[] = [];
  for (const variable of objectsAt(container, 'env')) {
    const reference = objectAt(variable, 'valueFrom', 'secretKeyRef');
    if (reference !== undefined)
      found.push({ variable: stringAt(variable, 'name'), secret: stringAt(reference, 'name') });
  }
  for (const source of objectsAt(container, 'envFrom')) {
    const reference = objectAt(source, 'secretRef');
    if (reference !== undefined) found.push({ variable: '', secret: stringAt(reference, 'name') });
  }
  return found;
}
