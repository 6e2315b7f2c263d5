import type { GatedFields } from './disabled-fields.ts';

// Which fields wait for which features, where being off means no more than that the field is not kept unless the object has
// it already. Features that are locked in all releases that can be emulated are left out.

const containers = (...lists: readonly string[]) => (field: string): string[] => lists.map((list) => `${list}[].${field}`);
const inContainers = containers('initContainers', 'containers', 'ephemeralContainers');
const inStatuses = containers('status.initContainerStatuses', 'status.containerStatuses', 'status.ephemeralContainerStatuses');

/** Of the spec of pods and of all pod templates (pkg/api/pod/util.go dropDisabledFields). */
export const gatedPodSpecFields: readonly GatedFields[] = [
  { gates: ['UserNamespacesSupport'], fields: ['hostUsers'] },
  { gates: ['SupplementalGroupsPolicy'], fields: ['securityContext.supplementalGroupsPolicy'] },
  { gates: ['PodLevelResources'], fields: ['resources'], usedBy: ['resources.requests{}', 'resources.limits{}'] },
  // Containers cannot name claims that the pod does not have.
  { gates: ['DynamicResourceAllocation'], fields: ['resourceClaims', ...inContainers('resources.claims')], usedBy: ['resourceClaims'] },
  { gates: ['ClusterTrustBundleProjection'], fields: ['volumes[].projected.sources[].clusterTrustBundle'] },
  { gates: ['PodCertificateRequest'], fields: ['volumes[].projected.sources[].podCertificate'] },
  { gates: ['GenericWorkload'], fields: ['schedulingGroup'] },
  { gates: ['InPlacePodVerticalScaling'], fields: inContainers('resizePolicy'), usedBy: containers('initContainers', 'containers')('resizePolicy') },
  { gates: ['HostnameOverride'], fields: ['hostnameOverride'] },
  { gates: ['MatchLabelKeysInPodTopologySpread'], fields: ['topologySpreadConstraints[].matchLabelKeys'] },
  { gates: ['EnvFiles'], fields: inContainers('env[].valueFrom.fileKeyRef') },
  { gates: ['PodLifecycleSleepAction'], fields: [...inContainers('lifecycle.preStop.sleep'), ...inContainers('lifecycle.postStart.sleep')], emptyParentsGo: true },
  { gates: ['SELinuxChangePolicy'], fields: ['securityContext.seLinuxChangePolicy'] },
  { gates: ['ContainerStopSignals'], fields: inContainers('lifecycle.stopSignal'), emptyParentsGo: true },
];

/** Of the status of pods, and what tells of their use in the spec (dropDisabledPodStatusFields). */
const podStatus: readonly GatedFields[] = [
  { gates: ['InPlacePodLevelResourcesVerticalScaling'], fields: ['status.resources', 'status.allocatedResources'] },
  {
    gates: ['InPlacePodVerticalScaling'], fields: [...inStatuses('resources'), ...inStatuses('allocatedResources')],
    usedBy: containers('spec.initContainers', 'spec.containers')('resizePolicy'),
  },
  { gates: ['DynamicResourceAllocation'], fields: ['status.resourceClaimStatuses'], usedBy: ['spec.resourceClaims'] },
  { gates: ['DRAExtendedResource'], fields: ['status.extendedResourceClaimStatus'] },
  { gates: ['ResourceHealthStatus'], fields: inStatuses('allocatedResourcesStatus') },
  { gates: ['ResourceHealthStatusMessage'], fields: inStatuses('allocatedResourcesStatus[].resources[].message') },
  { gates: ['SupplementalGroupsPolicy'], fields: inStatuses('user'), usedBy: ['spec.securityContext.supplementalGroupsPolicy'] },
  { gates: ['PodObservedGenerationTracking'], fields: ['status.observedGeneration', 'status.conditions[].observedGeneration'] },
  { gates: ['ImageVolumeWithDigest'], fields: inStatuses('volumeMounts[].volumeStatus') },
  { gates: ['DRANodeAllocatableResources'], fields: ['status.nodeAllocatableResourceClaimStatuses'] },
];

const terminatingReplicas: GatedFields = { gates: ['DeploymentReplicaSetTerminatingReplicas'], fields: ['status.terminatingReplicas'] };

/** pkg/api/resourceclaimspec; `at` is where the spec of the claim is. */
function claimSpec(at: string): GatedFields[] {
  const requests = `${at}.devices.requests[]`;
  const inRequests = (field: string): string[] => [`${requests}.exactly.${field}`, `${requests}.firstAvailable[].${field}`];
  return [
    { gates: ['DRAPrioritizedList'], fields: [`${requests}.firstAvailable`] },
    { gates: ['DRADeviceTaints'], fields: inRequests('tolerations') },
    { gates: ['DRAAdminAccess'], fields: [`${requests}.exactly.adminAccess`] },
    { gates: ['DRAConsumableCapacity'], fields: [`${at}.devices.constraints[].distinctAttribute`, ...inRequests('capacity')] },
  ];
}

const results = 'status.allocation.devices.results[]';

/** pkg/registry/resource/resourceclaim, dropDisabledStatusFields. */
const claimStatus: readonly GatedFields[] = [
  { gates: ['DRAResourceClaimDeviceStatus'], fields: ['status.devices'] },
  { gates: ['DRAAdminAccess'], fields: [`${results}.adminAccess`], usedBy: ['spec.devices.requests[].exactly.adminAccess', `${results}.adminAccess`] },
  {
    gates: ['DRAConsumableCapacity'], fields: [`${results}.shareID`, `${results}.consumedCapacity`, 'status.devices[].shareID'],
    usedBy: ['spec.devices.constraints[].distinctAttribute', 'spec.devices.requests[].exactly.capacity', 'spec.devices.requests[].firstAvailable[].capacity', `${results}.shareID`, `${results}.consumedCapacity`, 'status.devices[].shareID'],
  },
  { gates: ['DRADeviceBindingConditions'], fields: [`${results}.bindingConditions`, `${results}.bindingFailureConditions`] },
];

const devices = 'spec.devices[]';

/** pkg/registry/resource/resourceslice. */
const slices: readonly GatedFields[] = [
  { gates: ['DRADeviceTaints'], fields: [`${devices}.taints`] },
  {
    gates: ['DRAPartitionableDevices'],
    fields: ['spec.sharedCounters', 'spec.perDeviceNodeSelection', `${devices}.consumesCounters`, `${devices}.nodeName`, `${devices}.nodeSelector`, `${devices}.allNodes`],
  },
  { gates: ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'], fields: [`${devices}.bindingConditions`, `${devices}.bindingFailureConditions`, `${devices}.bindsToNode`] },
  { gates: ['DRAConsumableCapacity'], fields: [`${devices}.allowMultipleAllocations`, `${devices}.capacity{}.requestPolicy`] },
  { gates: ['DRANodeAllocatableResources'], fields: [`${devices}.nodeAllocatableResourceMappings`] },
  { gates: ['DRAListTypeAttributes'], fields: ['bools', 'ints', 'strings', 'versions'].map((list) => `${devices}.attributes{}.${list}`) },
];

/** pkg/registry/scheduling; `at` is before what a template of pod groups and a group have in common. */
function podGroups(at: string, disruption: Pick<GatedFields, 'readAs'>): GatedFields[] {
  return [
    { gates: ['TopologyAwareWorkloadScheduling'], fields: [`${at}schedulingConstraints`] },
    { gates: ['DRAWorkloadResourceClaims'], fields: [`${at}resourceClaims`] },
    { gates: ['WorkloadAwarePreemption'], fields: [`${at}disruptionMode`], ...disruption },
    { gates: ['WorkloadAwarePreemption'], fields: [`${at}priorityClassName`] },
    { gates: ['WorkloadAwarePreemption'], fields: [`${at}priority`] },
  ];
}

/** Of one template, by the one that stood in its place. */
export const gatedTemplateFields: readonly GatedFields[] = podGroups('', {});

/** Of other resources, by `group/resource`; those below `status` count in writes of the status. */
export const gatedFields: Readonly<Record<string, readonly GatedFields[]>> = {
  '/nodes': [
    { gates: ['SupplementalGroupsPolicy'], fields: ['status.features'], keptInStatus: true },
    { gates: ['NodeDeclaredFeatures'], fields: ['status.declaredFeatures'], keptInStatus: true },
  ],
  '/persistentvolumeclaims': [
    { gates: ['VolumeAttributesClass'], fields: ['spec.volumeAttributesClassName'] },
    { gates: ['VolumeAttributesClass'], fields: ['status.currentVolumeAttributesClassName'] },
    { gates: ['VolumeAttributesClass'], fields: ['status.modifyVolumeStatus'] },
    { gates: ['RecoverVolumeExpansionFailure'], fields: ['status.allocatedResources'] },
    { gates: ['RecoverVolumeExpansionFailure'], fields: ['status.allocatedResourceStatuses'] },
  ],
  '/persistentvolumes': [{ gates: ['VolumeAttributesClass'], fields: ['spec.volumeAttributesClassName'] }],
  '/pods': podStatus,
  'apps/deployments': [terminatingReplicas],
  'apps/replicasets': [terminatingReplicas],
  'apps/statefulsets': [{ gates: ['MaxUnavailableStatefulSet'], fields: ['spec.updateStrategy.rollingUpdate.maxUnavailable'] }],
  'autoscaling/horizontalpodautoscalers': [{ gates: ['HPAConfigurableTolerance'], fields: ['spec.behavior.scaleDown.tolerance', 'spec.behavior.scaleUp.tolerance'] }],
  'batch/jobs': [{ gates: ['JobPodReplacementPolicy'], fields: ['spec.podReplacementPolicy'] }],
  'coordination.k8s.io/leases': [
    { gates: ['CoordinatedLeaderElection'], fields: ['spec.strategy'] },
    { gates: ['CoordinatedLeaderElection'], fields: ['spec.preferredHolder'] },
  ],
  'discovery.k8s.io/endpointslices': [{ gates: ['PreferSameTrafficDistribution'], fields: ['endpoints[].hints.forNodes'] }],
  'resource.k8s.io/deviceclasses': [{ gates: ['DRAExtendedResource'], fields: ['spec.extendedResourceName'] }],
  'resource.k8s.io/resourceclaims': [...claimSpec('spec'), ...claimStatus],
  'resource.k8s.io/resourceclaimtemplates': claimSpec('spec.spec'),
  'resource.k8s.io/resourceslices': slices,
  'scheduling.k8s.io/podgroups': [...podGroups('spec.', { readAs: 'Pod' }), { gates: ['DRAWorkloadResourceClaims'], fields: ['status.resourceClaimStatuses'], usedBy: ['spec.resourceClaims'] }],
  'storage.k8s.io/csidrivers': [
    { gates: ['SELinuxMountReadWriteOncePod'], fields: ['spec.seLinuxMount'] },
    { gates: ['MutableCSINodeAllocatableCount'], fields: ['spec.nodeAllocatableUpdatePeriodSeconds'] },
    { gates: ['CSIServiceAccountTokenSecrets'], fields: ['spec.serviceAccountTokenInSecrets'] },
    { gates: ['VolumeLimitScaling'], fields: ['spec.preventPodSchedulingIfMissing'] },
  ],
  'storage.k8s.io/volumeattachments': ['attachError', 'detachError'].map((error): GatedFields => ({ gates: ['MutableCSINodeAllocatableCount'], fields: [`status.${error}.errorCode`] })),
};

/** Strategies that count changes themselves, as the reference before it takes away what is disabled. */
export const countAsSent: ReadonlySet<string> = new Set(['discovery.k8s.io/endpointslices', 'resource.k8s.io/resourceslices']);
