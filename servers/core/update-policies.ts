import type { Strategy } from '../../shared/registry/strategy.ts';

type UpdatePolicy = Pick<Strategy, 'allowCreateOnUpdate' | 'allowUnconditionalUpdate' | 'generation' | 'metadataOnUpdate' | 'metadataOnStatusUpdate' | 'anyFinalizers'>;

// Facts read off pkg/registry/<group>/<resource>/strategy.go, by `group/resource`.

const createdByPut = new Set([
  '/endpoints', '/events', '/limitranges', '/services', 'coordination.k8s.io/leases', 'coordination.k8s.io/leasecandidates',
  'events.k8s.io/events', 'node.k8s.io/runtimeclasses', 'rbac.authorization.k8s.io/clusterroles', 'rbac.authorization.k8s.io/clusterrolebindings',
  'rbac.authorization.k8s.io/roles', 'rbac.authorization.k8s.io/rolebindings',
]);

const versionRequiredOnPut = new Set([
  'admissionregistration.k8s.io/mutatingadmissionpolicies', 'admissionregistration.k8s.io/mutatingadmissionpolicybindings',
  'admissionregistration.k8s.io/mutatingwebhookconfigurations', 'admissionregistration.k8s.io/validatingadmissionpolicies',
  'admissionregistration.k8s.io/validatingadmissionpolicybindings', 'admissionregistration.k8s.io/validatingwebhookconfigurations',
  'certificates.k8s.io/clustertrustbundles', 'certificates.k8s.io/podcertificaterequests', 'coordination.k8s.io/leases',
  'coordination.k8s.io/leasecandidates', 'internal.apiserver.k8s.io/storageversions', 'node.k8s.io/runtimeclasses',
  'policy/poddisruptionbudgets', 'resource.k8s.io/resourcepoolstatusrequests', 'storage.k8s.io/csidrivers', 'storage.k8s.io/csinodes',
  'storage.k8s.io/csistoragecapacities', 'storage.k8s.io/volumeattachments', 'storagemigration.k8s.io/storageversionmigrations',
]);

const withGeneration = new Set([
  '/pods', '/podtemplates', '/replicationcontrollers', 'admissionregistration.k8s.io/mutatingadmissionpolicies',
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings', 'admissionregistration.k8s.io/mutatingwebhookconfigurations',
  'admissionregistration.k8s.io/validatingadmissionpolicies', 'admissionregistration.k8s.io/validatingadmissionpolicybindings',
  'admissionregistration.k8s.io/validatingwebhookconfigurations', 'apps/daemonsets', 'apps/deployments', 'apps/replicasets',
  'apps/statefulsets', 'batch/cronjobs', 'batch/jobs', 'flowcontrol.apiserver.k8s.io/flowschemas',
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations', 'networking.k8s.io/ingressclasses', 'networking.k8s.io/ingresses',
  'networking.k8s.io/networkpolicies', 'policy/poddisruptionbudgets', 'resource.k8s.io/deviceclasses', 'resource.k8s.io/devicetaintrules',
]);

// Whose ValidateXUpdate looks at all of the metadata (pkg/apis/<group>/validation), besides or instead of what changes.

const alsoWholeMetadata = new Set([
  '/configmaps', '/endpoints', '/namespaces', '/nodes', '/persistentvolumeclaims', '/pods', '/secrets', '/serviceaccounts', 'apps/controllerrevisions', 'batch/jobs', 'resource.k8s.io/resourceclaimtemplates',
  'certificates.k8s.io/certificatesigningrequests', 'certificates.k8s.io/clustertrustbundles', 'networking.k8s.io/ingressclasses', 'networking.k8s.io/ingresses', 'networking.k8s.io/ipaddresses', 'node.k8s.io/runtimeclasses', 'rbac.authorization.k8s.io/clusterrolebindings',
  'rbac.authorization.k8s.io/clusterroles', 'rbac.authorization.k8s.io/rolebindings', 'rbac.authorization.k8s.io/roles', 'resource.k8s.io/deviceclasses',
  'resource.k8s.io/resourceclaims', 'storage.k8s.io/csistoragecapacities', 'storage.k8s.io/storageclasses', 'storage.k8s.io/volumeattributesclasses',
  'storagemigration.k8s.io/storageversionmigrations',
]);

const wholeMetadata = new Set([
  '/limitranges', '/persistentvolumes', 'admissionregistration.k8s.io/mutatingadmissionpolicies', 'admissionregistration.k8s.io/mutatingadmissionpolicybindings',
  'admissionregistration.k8s.io/mutatingwebhookconfigurations', 'admissionregistration.k8s.io/validatingadmissionpolicies',
  'admissionregistration.k8s.io/validatingadmissionpolicybindings', 'admissionregistration.k8s.io/validatingwebhookconfigurations', 'discovery.k8s.io/endpointslices',
  'flowcontrol.apiserver.k8s.io/flowschemas', 'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations', 'storage.k8s.io/csinodes', 'storage.k8s.io/volumeattachments',
]);

/** Whose strategies compare by reflect.DeepEqual. */
const exactGeneration = new Set([
  'admissionregistration.k8s.io/mutatingwebhookconfigurations', 'admissionregistration.k8s.io/validatingwebhookconfigurations', 'networking.k8s.io/networkpolicies',
]);

/** Whose validation is apimachinery's alone, without core's look at the names of finalizers. */
const anyFinalizers = new Set([
  'admissionregistration.k8s.io/mutatingadmissionpolicies', 'admissionregistration.k8s.io/mutatingadmissionpolicybindings',
  'admissionregistration.k8s.io/mutatingwebhookconfigurations', 'admissionregistration.k8s.io/validatingadmissionpolicies',
  'admissionregistration.k8s.io/validatingadmissionpolicybindings', 'admissionregistration.k8s.io/validatingwebhookconfigurations',
  'coordination.k8s.io/leases', 'coordination.k8s.io/leasecandidates', 'node.k8s.io/runtimeclasses',
]);

/** Whose strategies set it at creation, and then never or by rules of their own. */
const firstGeneration = new Set(['discovery.k8s.io/endpointslices', 'resource.k8s.io/resourceslices', 'scheduling.k8s.io/priorityclasses']);

const noMetadata = new Set(['/events', 'events.k8s.io/events', 'internal.apiserver.k8s.io/storageversions', 'policy/poddisruptionbudgets']);

const noMetadataOfStatus = new Set(['admissionregistration.k8s.io/validatingadmissionpolicies', 'batch/cronjobs', 'storage.k8s.io/volumeattachments']);

/** How PUT and `metadata.generation` behave for a resource. */
export function updatePolicy(group: string, resource: string): UpdatePolicy {
  const key = `${group}/${resource}`;
  return {
    allowCreateOnUpdate: createdByPut.has(key),
    allowUnconditionalUpdate: !versionRequiredOnPut.has(key),
    metadataOnUpdate: noMetadata.has(key) ? 'none' : alsoWholeMetadata.has(key) ? 'both' : wholeMetadata.has(key) ? 'whole' : 'changes',
    ...(noMetadataOfStatus.has(key) && { metadataOnStatusUpdate: 'none' }),
    anyFinalizers: anyFinalizers.has(key),
    generation: exactGeneration.has(key) ? 'exact' : firstGeneration.has(key) ? 'first' : withGeneration.has(key) ? 'spec' : 'none',
  };
}
