import { resolveFeatureGates, type FeatureGates } from '../../../shared/api/feature-gates.ts';
import { ownRelease, releaseBefore } from '../../../shared/apimachinery/release-version.ts';

/** Gates on which built-in types depend, and that are not locked in all releases that can be emulated. */
const names = [
  'AuthorizePodWebsocketUpgradeCreatePermission',
  'AuthorizeWithSelectors',
  'CSIServiceAccountTokenSecrets',
  'ClearingNominatedNodeNameAfterBinding',
  'ClusterTrustBundleProjection',
  'ContainerRestartRules',
  'ContainerStopSignals',
  'CoordinatedLeaderElection',
  'CrossNamespaceVolumeDataSource',
  'DRAAdminAccess',
  'DRAConsumableCapacity',
  'DRADeviceBindingConditions',
  'DRADeviceTaints',
  'DRAExtendedResource',
  'DRAListTypeAttributes',
  'DRANodeAllocatableResources',
  'DRAPartitionableDevices',
  'DRAPrioritizedList',
  'DRAResourceClaimDeviceStatus',
  'DRAResourceClaimGranularStatusAuthorization',
  'DRAWorkloadResourceClaims',
  'DeploymentReplicaSetTerminatingReplicas',
  'DynamicResourceAllocation',
  'EnvFiles',
  'ExtendWebSocketsToKubelet',
  'GenericWorkload',
  'GitRepoVolumeDriver',
  'HPAConfigurableTolerance',
  'HPAScaleToZero',
  'HostnameOverride',
  'ImageVolume',
  'ImageVolumeWithDigest',
  'InPlacePodLevelResourcesVerticalScaling',
  'InPlacePodVerticalScaling',
  'InPlacePodVerticalScalingInitContainers',
  'JobManagedBy',
  'JobPodReplacementPolicy',
  'ManifestBasedAdmissionControlConfig',
  'MatchLabelKeysInPodTopologySpread',
  'MatchLabelKeysInPodTopologySpreadSelectorMerge',
  'MaxUnavailableStatefulSet',
  'MutableCSINodeAllocatableCount',
  'MutablePVNodeAffinity',
  'MutablePodResourcesForSuspendedJobs',
  'MutableSchedulingDirectivesForSuspendedJobs',
  'NodeDeclaredFeatures',
  'PodCertificateRequest',
  'PodDeletionCost',
  'PodLevelResources',
  'PodLifecycleSleepAction',
  'PodLifecycleSleepActionAllowZero',
  'PodLogsQuerySplitStreams',
  'PodObservedGenerationTracking',
  'PodTopologyLabelsAdmission',
  'PortForwardWebsockets',
  'PreferSameTrafficDistribution',
  'ProcMountType',
  'RecoverVolumeExpansionFailure',
  'RelaxedDNSSearchValidation',
  'RelaxedEnvironmentVariableValidation',
  'RelaxedServiceNameValidation',
  'ResourceHealthStatus',
  'ResourceHealthStatusMessage',
  'RestartAllContainersOnContainerExits',
  'SELinuxChangePolicy',
  'SELinuxMount',
  'SELinuxMountReadWriteOncePod',
  'ServiceAccountNodeAudienceRestriction',
  'ServiceCIDRStatusFieldWiping',
  'StrictIPCIDRValidation',
  'SupplementalGroupsPolicy',
  'TaintTolerationComparisonOperators',
  'TopologyAwareWorkloadScheduling',
  'TranslateStreamCloseWebsocketRequests',
  'UserNamespacesHostNetworkSupport',
  'UserNamespacesSupport',
  'VolumeAttributesClass',
  'VolumeLimitScaling',
  'WorkloadAwarePreemption',
  'WorkloadWithJob',
] as const;

export type GateName = (typeof names)[number];

export type Gates = Readonly<Record<GateName, boolean>>;

function settle(resolved: FeatureGates): Record<GateName, boolean> {
  return Object.fromEntries(names.map((name) => [name, resolved.isEnabled(name)])) as Record<GateName, boolean>;
}

const settled = settle(
  resolveFeatureGates({}, { emulation: ownRelease, minCompatibility: releaseBefore(ownRelease) }).gates,
);

/**
 * What the gates of this process say to the rules of built-in types: a plain record, so that a rule costs no more than
 * a member. A process is one server, so that they are its own as its facts are. As by default until {@link useGates}.
 */
export const gates: Gates = settled;

/** Settles the gates once, at the start, before strategies are made. */
export function useGates(resolved: FeatureGates): void {
  Object.assign(settled, settle(resolved));
}
