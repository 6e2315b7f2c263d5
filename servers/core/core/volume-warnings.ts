import { path, type Path } from '../../../shared/apimachinery/field-error.ts';
import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import { objectAt, stringAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import { fractionWarnings } from './pod-warnings.ts';

// Warnings about volumes and claims, in the reference's words (pkg/api/persistentvolume, pkg/api/persistentvolumeclaim).

const storageClassAnnotation = 'volume.beta.kubernetes.io/storage-class';
const mountOptionsAnnotation = 'volume.beta.kubernetes.io/mount-options';

const goneDrivers: readonly (readonly [source: string, shown: string, text: string])[] = [
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

export function volumeWarnings(volume: KubeObject): string[] {
  const spec = path('spec');
  return [
    ...annotationWarnings(volume, storageClassAnnotation, 'deprecated since v1.8; use "storageClassName" attribute instead'),
    ...annotationWarnings(volume, mountOptionsAnnotation, 'deprecated since v1.31; use "mountOptions" attribute instead'),
    ...(stringAt(volume, 'spec', 'persistentVolumeReclaimPolicy') === 'Recycle'
      ? [`${spec.child('persistentVolumeReclaimPolicy').toString()}: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.`] : []),
    ...goneDrivers.filter(([source]) => objectAt(volume, 'spec', source)).map(([, shown, text]) => `${spec.child(shown).toString()}: ${text}`),
  ];
}

export function claimWarnings(claim: KubeObject): string[] {
  return [
    ...annotationWarnings(claim, storageClassAnnotation, 'deprecated since v1.8; use "storageClassName" attribute instead'),
    ...claimSpecWarnings(objectAt(claim, 'spec'), path('spec')),
  ];
}

/** Of the spec of a claim, also within templates. */
export function claimSpecWarnings(spec: JsonObject | undefined, field: Path): string[] {
  return ['requests', 'limits'].flatMap((list) => fractionWarnings(objectAt(spec, 'resources', list), ['storage'], field.child('resources', list)));
}

function annotationWarnings({ metadata }: KubeObject, key: string, text: string): string[] {
  return Object.hasOwn(metadata.annotations ?? {}, key) ? [`${path('metadata', 'annotations').key(key).toString()}: ${text}`] : [];
}
