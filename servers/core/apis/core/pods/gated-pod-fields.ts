import type { GatedFields } from '#servers/core/gates/disabled-fields.ts';

// Gated fields: with the gate off, a field is not stored unless the old object has it. This table leaves out gates that
// are locked in all releases that can be emulated.

const containers =
  (...lists: readonly string[]) =>
  (field: string): string[] =>
    lists.map((list) => `${list}[].${field}`);
const inContainers = containers('initContainers', 'containers', 'ephemeralContainers');
const inStatuses = containers(
  'status.initContainerStatuses',
  'status.containerStatuses',
  'status.ephemeralContainerStatuses',
);

/** Gated fields in the spec of pods and of all pod templates (pkg/api/pod/util.go dropDisabledFields). */
export const gatedPodSpecFields: readonly GatedFields[] = [
  { gates: ['UserNamespacesSupport'], fields: ['hostUsers'] },
  { gates: ['SupplementalGroupsPolicy'], fields: ['securityContext.supplementalGroupsPolicy'] },
  { gates: ['PodLevelResources'], fields: ['resources'], usedBy: ['resources.requests{}', 'resources.limits{}'] },
  // The claims of the pod alone show the use, since containers can only name claims that the pod has.
  {
    gates: ['DynamicResourceAllocation'],
    fields: ['resourceClaims', ...inContainers('resources.claims')],
    usedBy: ['resourceClaims'],
  },
  { gates: ['ClusterTrustBundleProjection'], fields: ['volumes[].projected.sources[].clusterTrustBundle'] },
  { gates: ['PodCertificateRequest'], fields: ['volumes[].projected.sources[].podCertificate'] },
  { gates: ['GenericWorkload'], fields: ['schedulingGroup'] },
  {
    gates: ['InPlacePodVerticalScaling'],
    fields: inContainers('resizePolicy'),
    usedBy: containers('initContainers', 'containers')('resizePolicy'),
  },
  { gates: ['HostnameOverride'], fields: ['hostnameOverride'] },
  { gates: ['MatchLabelKeysInPodTopologySpread'], fields: ['topologySpreadConstraints[].matchLabelKeys'] },
  { gates: ['EnvFiles'], fields: inContainers('env[].valueFrom.fileKeyRef') },
  {
    gates: ['PodLifecycleSleepAction'],
    fields: [...inContainers('lifecycle.preStop.sleep'), ...inContainers('lifecycle.postStart.sleep')],
    emptyParentsGo: true,
  },
  { gates: ['SELinuxChangePolicy'], fields: ['securityContext.seLinuxChangePolicy'] },
  { gates: ['ContainerStopSignals'], fields: inContainers('lifecycle.stopSignal'), emptyParentsGo: true },
];

/** Gated fields in the status of pods, and the fields of the spec that show their use (dropDisabledPodStatusFields). */
export const gatedPodStatusFields: readonly GatedFields[] = [
  { gates: ['InPlacePodLevelResourcesVerticalScaling'], fields: ['status.resources', 'status.allocatedResources'] },
  {
    gates: ['InPlacePodVerticalScaling'],
    fields: [...inStatuses('resources'), ...inStatuses('allocatedResources')],
    usedBy: containers('spec.initContainers', 'spec.containers')('resizePolicy'),
  },
  { gates: ['DynamicResourceAllocation'], fields: ['status.resourceClaimStatuses'], usedBy: ['spec.resourceClaims'] },
  { gates: ['DRAExtendedResource'], fields: ['status.extendedResourceClaimStatus'] },
  { gates: ['ResourceHealthStatus'], fields: inStatuses('allocatedResourcesStatus') },
  { gates: ['ResourceHealthStatusMessage'], fields: inStatuses('allocatedResourcesStatus[].resources[].message') },
  {
    gates: ['SupplementalGroupsPolicy'],
    fields: inStatuses('user'),
    usedBy: ['spec.securityContext.supplementalGroupsPolicy'],
  },
  {
    gates: ['PodObservedGenerationTracking'],
    fields: ['status.observedGeneration', 'status.conditions[].observedGeneration'],
  },
  { gates: ['ImageVolumeWithDigest'], fields: inStatuses('volumeMounts[].volumeStatus') },
  { gates: ['DRANodeAllocatableResources'], fields: ['status.nodeAllocatableResourceClaimStatuses'] },
];
