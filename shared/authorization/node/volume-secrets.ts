import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';

export interface SecretReference {
  readonly namespace: string;
  readonly name: string;
}

/** Sources with one secret, which is in the namespace of the claim unless the source names another. */
const besideClaim = ['cephfs', 'flexVolume', 'rbd', 'scaleIO', 'iscsi'] as const;
/** Sources that always name the namespace of their secret. */
const withNamespace = ['cinder', 'storageos'] as const;
/** The secret references of CSI volumes that kubelets use; others are for controllers. */
const csiSecrets = ['nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef'] as const;

/** The secrets that a node needs to mount a volume (pkg/api/v1/persistentvolume/util.go VisitPVSecretNames). */
export function volumeSecrets(volume: KubeObject): readonly SecretReference[] {
  const spec = objectAt(volume, 'spec');
  const claimNamespace = stringAt(spec, 'claimRef', 'namespace');
  const found = [
    {
      name: stringAt(spec, 'azureFile', 'secretName'),
      namespace: stringAt(spec, 'azureFile', 'secretNamespace') || claimNamespace,
    },
    ...besideClaim.map((source) => secretAt(objectAt(spec, source)?.['secretRef'], claimNamespace)),
    ...withNamespace.map((source) => secretAt(objectAt(spec, source)?.['secretRef'], '')),
    ...csiSecrets.map((field) => secretAt(objectAt(spec, 'csi')?.[field], '')),
  ];
  return found.filter(({ name }) => name !== '');
}

function secretAt(reference: JsonValue | undefined, namespace: string): SecretReference {
  if (!isObject(reference)) return { name: '', namespace };
  return { name: stringAt(reference, 'name'), namespace: stringAt(reference, 'namespace') || namespace };
}
