import { objectsAt, stringAt, type KubeObject } from '../../apimachinery/object.ts';

export interface PodReference {
  readonly resource: 'secrets' | 'configmaps' | 'persistentvolumeclaims' | 'serviceaccounts';
  readonly name: string;
}

/** Whether a pod that is bound to the node names the object in its spec. */
export function podUses(pod: KubeObject, node: string, reference: PodReference): boolean {
  if (stringAt(pod, 'spec', 'nodeName') !== node) return false;
  const { resource, name } = reference;
  if (resource === 'serviceaccounts') return (stringAt(pod, 'spec', 'serviceAccountName') || 'default') === name;
  const volumes = objectsAt(pod, 'spec', 'volumes');
  if (resource === 'persistentvolumeclaims') {
    const generated = (volume: KubeObject['metadata']): boolean => volume['ephemeral'] !== undefined && `${pod.metadata.name ?? ''}-${stringAt(volume, 'name')}` === name;
    return volumes.some((volume) => stringAt(volume, 'persistentVolumeClaim', 'claimName') === name || generated(volume));
  }
  return resource === 'secrets' ? usesSecret(pod, volumes, name) : usesConfigMap(pod, volumes, name);
}

type Part = ReturnType<typeof objectsAt>[number];

/** Fields of volumes that hold the name of a secret, by volume type. */
const secretFields: readonly (readonly string[])[] = [
  ['secret', 'secretName'], ['azureFile', 'secretName'], ['cephfs', 'secretRef', 'name'], ['flexVolume', 'secretRef', 'name'],
  ['iscsi', 'secretRef', 'name'], ['rbd', 'secretRef', 'name'], ['scaleIO', 'secretRef', 'name'], ['storageos', 'secretRef', 'name'],
  ['cinder', 'secretRef', 'name'], ['csi', 'nodePublishSecretRef', 'name'],
];

function usesSecret(pod: KubeObject, volumes: readonly Part[], name: string): boolean {
  return objectsAt(pod, 'spec', 'imagePullSecrets').some((secret) => stringAt(secret, 'name') === name)
    || volumes.some((volume) => secretFields.some((field) => stringAt(volume, ...field) === name) || projects(volume, 'secret', name))
    || containersUse(pod, 'secretRef', 'secretKeyRef', name);
}

function usesConfigMap(pod: KubeObject, volumes: readonly Part[], name: string): boolean {
  return volumes.some((volume) => stringAt(volume, 'configMap', 'name') === name || projects(volume, 'configMap', name))
    || containersUse(pod, 'configMapRef', 'configMapKeyRef', name);
}

function projects(volume: Part, source: string, name: string): boolean {
  return objectsAt(volume, 'projected', 'sources').some((part) => stringAt(part, source, 'name') === name);
}

function containersUse(pod: KubeObject, whole: string, key: string, name: string): boolean {
  return ['containers', 'initContainers', 'ephemeralContainers'].some((list) => objectsAt(pod, 'spec', list).some((container) =>
    objectsAt(container, 'envFrom').some((from) => stringAt(from, whole, 'name') === name)
    || objectsAt(container, 'env').some((variable) => stringAt(variable, 'valueFrom', key, 'name') === name)));
}
