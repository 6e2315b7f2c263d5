import { getKey } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt, type KubeObject, type ObjectMeta } from '#shared/apimachinery/object.ts';
import { podReferences } from './pod-references.ts';

/**
 * Reduces objects that a process caches only for their relations to nodes: a pod keeps only its node and its references
 * to other objects, a volume loses most of its metadata. For the option `excerptOf` of resource caches.
 */
export function relationExcerpt(group: string, resource: string): ((object: KubeObject) => KubeObject) | undefined {
  return getKey(excerpts, `${resource}.${group}`);
}

const excerpts: Readonly<Record<string, (object: KubeObject) => KubeObject>> = {
  'pods.': excerptOfPod,
  'persistentvolumes.': (volume) => ({ metadata: identity(volume), spec: objectAt(volume, 'spec') ?? {} }),
  'volumeattachments.storage.k8s.io': excerptOfBound,
  'resourceslices.resource.k8s.io': excerptOfBound,
  'podcertificaterequests.certificates.k8s.io': excerptOfBound,
};

function excerptOfBound(object: KubeObject): KubeObject {
  return { metadata: identity(object), spec: { nodeName: stringAt(object, 'spec', 'nodeName') } };
}

function excerptOfPod(pod: KubeObject): KubeObject {
  const excerpt = excerptOfBound(pod);
  if (stringAt(pod, 'spec', 'nodeName') === '') return excerpt;
  const {
    serviceaccounts: [serviceAccountName = ''],
    secrets,
    configmaps,
    persistentvolumeclaims,
    resourceclaims,
  } = podReferences(pod);
  return {
    ...excerpt,
    spec: {
      ...objectAt(excerpt, 'spec'),
      serviceAccountName,
      imagePullSecrets: secrets.map((name) => ({ name })),
      volumes: [
        ...configmaps.map((name) => ({ configMap: { name } })),
        ...persistentvolumeclaims.map((claimName) => ({ persistentVolumeClaim: { claimName } })),
      ],
      resourceClaims: resourceclaims.map((resourceClaimName) => ({ resourceClaimName })),
    },
  };
}

function identity({ metadata: { name = '', namespace } }: KubeObject): ObjectMeta {
  return namespace === undefined ? { name } : { name, namespace };
}
