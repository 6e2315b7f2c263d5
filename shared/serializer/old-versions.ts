const rbac = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'];
const flowControl = ['FlowSchema', 'PriorityLevelConfiguration'];

/**
 * Kinds by removed version: the reference's schemes have these versions but no longer serve them (register.go of each
 * version in k8s.io/api).
 */
const oldKinds: ReadonlyMap<string, readonly string[]> = new Map([
  ['extensions/v1beta1', ['DaemonSet', 'Deployment', 'Ingress', 'NetworkPolicy', 'ReplicaSet', 'Scale']],
  ['apiregistration.k8s.io/v1beta1', ['APIService']],
  ['apps/v1beta1', ['ControllerRevision', 'Deployment', 'StatefulSet']],
  ['apps/v1beta2', ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet']],
  ['authentication.k8s.io/v1alpha1', ['SelfSubjectReview']],
  ['authentication.k8s.io/v1beta1', ['SelfSubjectReview', 'TokenReview']],
  [
    'authorization.k8s.io/v1beta1',
    ['LocalSubjectAccessReview', 'SelfSubjectAccessReview', 'SelfSubjectRulesReview', 'SubjectAccessReview'],
  ],
  ['batch/v1beta1', ['CronJob']],
  ['discovery.k8s.io/v1beta1', ['EndpointSlice']],
  ['events.k8s.io/v1beta1', ['Event']],
  ['flowcontrol.apiserver.k8s.io/v1beta1', flowControl],
  ['flowcontrol.apiserver.k8s.io/v1beta2', flowControl],
  ['flowcontrol.apiserver.k8s.io/v1beta3', flowControl],
  ['node.k8s.io/v1alpha1', ['RuntimeClass']],
  ['node.k8s.io/v1beta1', ['RuntimeClass']],
  ['rbac.authorization.k8s.io/v1alpha1', rbac],
  ['rbac.authorization.k8s.io/v1beta1', rbac],
  ['scheduling.k8s.io/v1beta1', ['PriorityClass']],
  ['storage.k8s.io/v1alpha1', ['CSIStorageCapacity', 'VolumeAttachment', 'VolumeAttributesClass']],
]);

/** Whether a kind can be read in a version that no path serves. */
export function isOldVersion(apiVersion: string, kind: string): boolean {
  return oldKinds.get(apiVersion)?.includes(kind) === true;
}
