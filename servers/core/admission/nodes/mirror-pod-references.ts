import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { namesSecrets } from '#shared/objects/pod-secrets.ts';
import { allContainers } from '#shared/objects/pod-spec.ts';

const volumeSources: readonly (readonly [field: string, what: string])[] = [
  ['configMap', 'configmaps (via configmap volumes)'],
  ['secret', 'secrets (via secret volumes)'],
  ['csi', 'csidrivers (via CSI volumes)'],
  ['glusterfs', 'endpoints (via glusterFS volumes)'],
  ['persistentVolumeClaim', 'persistentvolumeclaims'],
  ['ephemeral', 'persistentvolumeclaims (via ephemeral volumes)'],
  ['azureFile', 'secrets (via azureFile volumes)'],
];
const projectedSources: readonly (readonly [field: string, what: string])[] = [
  ['configMap', 'configmaps (via projected volumes)'],
  ['secret', 'secrets (via projected volumes)'],
  ['serviceAccountToken', 'serviceaccounts (via projected volumes)'],
  ['clusterTrustBundle', 'clustertrustbundles'],
  ['podCertificate', 'podcertificates'],
];

/**
 * The first kind of API object that the pod needs, in the reference's words; undefined for none (pkg/api/pod
 * HasAPIObjectReference).
 */
export function referencedObjects(spec: JsonObject): string | undefined {
  if (stringAt(spec, 'serviceAccountName') !== '') return 'serviceaccounts';
  if (namesSecrets(spec)) return 'secrets';
  if (namesConfigMaps(spec)) return 'configmaps';
  if (objectsAt(spec, 'resourceClaims').length > 0) return 'resourceclaims';
  for (const volume of objectsAt(spec, 'volumes')) {
    const found =
      firstOf(volume, volumeSources) ??
      objectsAt(volume, 'projected', 'sources')
        .map((source) => firstOf(source, projectedSources))
        .find((what) => what !== undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

function firstOf(holder: JsonObject, sources: readonly (readonly [field: string, what: string])[]): string | undefined {
  return sources.find(([field]) => objectAt(holder, field) !== undefined)?.[1];
}

function namesConfigMaps(spec: JsonObject): boolean {
  const byContainer = allContainers(spec).some(
    (container) =>
      objectsAt(container, 'env').some(
        (variable) => objectAt(variable, 'valueFrom', 'configMapKeyRef') !== undefined,
      ) || objectsAt(container, 'envFrom').some((source) => objectAt(source, 'configMapRef') !== undefined),
  );
  return (
    byContainer ||
    objectsAt(spec, 'volumes').some(
      (volume) =>
        objectAt(volume, 'configMap') !== undefined ||
        objectsAt(volume, 'projected', 'sources').some((source) => objectAt(source, 'configMap') !== undefined),
    )
  );
}
