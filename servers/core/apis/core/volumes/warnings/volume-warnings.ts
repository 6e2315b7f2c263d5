import type { Gates } from '#servers/core/gates/gates.ts';
import { nodeSelectorTermWarnings } from '#servers/core/warnings/node-labels.ts';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { claimSpecWarnings } from './claim-specs.ts';
import { driverWarnings } from './volumes.ts';

// Warnings about volumes and claims, in the reference's words (pkg/api/persistentvolume,
// pkg/api/persistentvolumeclaim).

const storageClassAnnotation = 'volume.beta.kubernetes.io/storage-class';
const mountOptionsAnnotation = 'volume.beta.kubernetes.io/mount-options';

export function volumeWarnings(volume: KubeObject, gates: Gates): string[] {
  const spec = path('spec');
  return [
    ...annotationWarnings(
      volume,
      storageClassAnnotation,
      'deprecated since v1.8; use "storageClassName" attribute instead',
    ),
    ...annotationWarnings(
      volume,
      mountOptionsAnnotation,
      'deprecated since v1.31; use "mountOptions" attribute instead',
    ),
    ...(stringAt(volume, 'spec', 'persistentVolumeReclaimPolicy') === 'Recycle'
      ? [
          `${spec.child('persistentVolumeReclaimPolicy').toString()}: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.`,
        ]
      : []),
    ...objectsAt(volume, 'spec', 'nodeAffinity', 'required', 'nodeSelectorTerms').flatMap((term, index) =>
      nodeSelectorTermWarnings(term, spec.child('nodeAffinity', 'required', 'nodeSelectorTerms').index(index), false),
    ),
    ...driverWarnings(objectAt(volume, 'spec') ?? {}, gates, spec, ['flocker', 'quobyte']),
  ];
}

export function claimWarnings(claim: KubeObject): string[] {
  return [
    ...annotationWarnings(
      claim,
      storageClassAnnotation,
      'deprecated since v1.8; use "storageClassName" attribute instead',
    ),
    ...claimSpecWarnings(objectAt(claim, 'spec'), path('spec')),
  ];
}

function annotationWarnings({ metadata }: KubeObject, key: string, text: string): string[] {
  return Object.hasOwn(metadata.annotations ?? {}, key)
    ? [`${path('metadata', 'annotations').key(key).toString()}: ${text}`]
    : [];
}
