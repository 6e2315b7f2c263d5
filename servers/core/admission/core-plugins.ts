import type { Gates } from '#servers/core/gates/gates.ts';
import type { PluginRegistry } from '#shared/admission/admission-chain.ts';
import { AlwaysAdmit, AlwaysDeny } from '#shared/admission/always.ts';
import { readOne, type PluginConfigurations } from '#shared/admission/configuration/plugin-configurations.ts';
import type { AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import type { Authorize } from '#shared/admission/contract/authorize.ts';
import type { ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import { NamespaceAutoProvision, type CreateNamespace } from '#shared/admission/namespaces/namespace-auto-provision.ts';
import { NamespaceExists } from '#shared/admission/namespaces/namespace-exists.ts';
import { NamespaceLifecycle } from '#shared/admission/namespaces/namespace-lifecycle.ts';
import type { WriteQuotaStatus } from '#shared/admission/quota/quota-ledger.ts';
import { ResourceQuota } from '#shared/admission/quota/resource-quota.ts';
import { CertificateApproval } from './certificates/certificate-approval.ts';
import { CertificateSigning } from './certificates/certificate-signing.ts';
import { CertificateSubjectRestriction } from './certificates/certificate-subject-restriction.ts';
import { ClusterTrustBundleAttest } from './certificates/cluster-trust-bundle-attest.ts';
import { EventRateLimit } from './events/event-rate-limit.ts';
import { ImagePolicyWebhook } from './images/image-policy-webhook.ts';
import { JobValidation } from './jobs/job-validation.ts';
import { LimitRanger } from './limits/limit-ranger.ts';
import { NodeRestriction } from './nodes/node-restriction.ts';
import { TaintNodesByCondition } from './nodes/taint-nodes-by-condition.ts';
import {
  OwnerReferencesPermissionEnforcement,
  type ResourceOfKind,
} from './owner-references-permission-enforcement.ts';
import { PodSecurity } from './pod-security/pod-security.ts';
import { AlwaysPullImages } from './pods/always-pull-images.ts';
import { DefaultTolerationSeconds, type TolerationSeconds } from './pods/default-toleration-seconds.ts';
import { ExtendedResourceToleration } from './pods/extended-resource-toleration.ts';
import { LimitPodHardAntiAffinityTopology } from './pods/limit-pod-hard-anti-affinity-topology.ts';
import { NodeDeclaredFeatureValidator } from './pods/node-declared-feature-validator.ts';
import { PodNodeSelector } from './pods/pod-node-selector.ts';
import { PodResizeValidator } from './pods/pod-resize-validator.ts';
import { PodTolerationRestriction } from './pods/pod-toleration-restriction.ts';
import { PodTopologyLabels } from './pods/pod-topology-labels.ts';
import { Priority } from './pods/priority.ts';
import { RuntimeClass } from './pods/runtime-class.ts';
import { ServiceAccount } from './pods/service-account.ts';
import { podGroupProtection, storageObjectInUseProtection } from './protection-finalizer.ts';
import { PodGroupWorkloadExists } from './scheduling/pod-group-workload-exists.ts';
import { DefaultIngressClass } from './services/default-ingress-class.ts';
import { DenyServiceExternalIPs } from './services/deny-service-external-ips.ts';
import { DefaultStorageClass } from './storage/default-storage-class.ts';
import { PersistentVolumeClaimResize } from './storage/persistent-volume-claim-resize.ts';

/** Everything that plugins may depend on; each constructor takes what it needs. */
export interface PluginDependencies {
  readonly caches: ObjectCaches;
  readonly gates: Gates;
  readonly authorize: Authorize;
  readonly createNamespace: CreateNamespace;
  readonly writeQuotaStatus: WriteQuotaStatus;
  readonly resourceOfKind: ResourceOfKind;
  readonly tolerationSeconds: TolerationSeconds;
  readonly configurations: PluginConfigurations;
  /** The plugins whose rules users write: policies and webhooks. */
  readonly userRules: PluginRegistry;
  /** Writes to the log. */
  readonly reportError: (message: string, error: unknown) => void;
}

/** One plugin: its name, when it is enabled, and how this server creates it. */
interface CorePlugin {
  readonly name: string;
  /** Enabled unless a flag disables it. */
  readonly byDefault?: true;
  /** Whether its feature gates are on; default: yes. */
  readonly when?: (gates: Gates) => boolean;
  /** Absent for a plugin that is not implemented yet; enabling one is an error. */
  readonly make?: (dependencies: PluginDependencies) => AdmissionPlugin | undefined;
}

/**
 * All plugins of kube-apiserver v1.36 in the order in which they run. `npm run check -- plugin-names --write` writes
 * their names to `shared/admission/gen/`, so that the other servers can check the flags.
 */
export const corePluginTable: readonly CorePlugin[] = [
  { name: 'AlwaysAdmit', make: () => new AlwaysAdmit() },
  {
    name: 'NamespaceAutoProvision',
    make: ({ caches, createNamespace }) => new NamespaceAutoProvision(caches, createNamespace),
  },
  {
    name: 'NamespaceLifecycle',
    byDefault: true,
    make: ({ caches }) => new NamespaceLifecycle(caches.cache('', 'namespaces')),
  },
  { name: 'NamespaceExists', make: ({ caches }) => new NamespaceExists(caches) },
  { name: 'LimitPodHardAntiAffinityTopology', make: () => new LimitPodHardAntiAffinityTopology() },
  { name: 'LimitRanger', byDefault: true, make: ({ caches }) => new LimitRanger(caches) },
  { name: 'ServiceAccount', byDefault: true, make: ({ caches }) => new ServiceAccount(caches) },
  {
    name: 'NodeRestriction',
    make: ({ caches, authorize, gates }) =>
      new NodeRestriction(caches, authorize, gates.ServiceAccountNodeAudienceRestriction),
  },
  { name: 'TaintNodesByCondition', byDefault: true, make: () => new TaintNodesByCondition() },
  { name: 'AlwaysPullImages', make: () => new AlwaysPullImages() },
  {
    name: 'ImagePolicyWebhook',
    make: ({ configurations: { ImagePolicyWebhook: configured }, resourceOfKind, reportError }) =>
      configured && new ImagePolicyWebhook(configured, (...kind) => resourceOfKind(...kind) !== undefined, reportError),
  },
  {
    name: 'PodSecurity',
    byDefault: true,
    make: ({ caches, configurations }) => new PodSecurity(caches, configurations.PodSecurity),
  },
  {
    name: 'PodNodeSelector',
    make: ({ caches, configurations }) => new PodNodeSelector(caches, configurations.PodNodeSelector),
  },
  {
    name: 'Priority',
    byDefault: true,
    make: ({ caches, gates }) => new Priority(caches, gates.WorkloadAwarePreemption),
  },
  {
    name: 'DefaultTolerationSeconds',
    byDefault: true,
    make: ({ tolerationSeconds }) => new DefaultTolerationSeconds(tolerationSeconds),
  },
  {
    name: 'PodTolerationRestriction',
    make: ({ caches, configurations: { PodTolerationRestriction: configured } }) =>
      readOne('PodTolerationRestriction', () => new PodTolerationRestriction(caches, configured)),
  },
  { name: 'EventRateLimit', make: ({ configurations }) => new EventRateLimit(configurations.EventRateLimit) },
  { name: 'ExtendedResourceToleration', make: () => new ExtendedResourceToleration() },
  { name: 'DefaultStorageClass', byDefault: true, make: ({ caches }) => new DefaultStorageClass(caches) },
  { name: 'StorageObjectInUseProtection', byDefault: true, make: storageObjectInUseProtection },
  { name: 'PodGroupProtection', byDefault: true, make: podGroupProtection },
  {
    name: 'OwnerReferencesPermissionEnforcement',
    make: ({ authorize, resourceOfKind }) => new OwnerReferencesPermissionEnforcement(authorize, resourceOfKind),
  },
  {
    name: 'PersistentVolumeClaimResize',
    byDefault: true,
    make: ({ caches }) => new PersistentVolumeClaimResize(caches),
  },
  { name: 'RuntimeClass', byDefault: true, make: ({ caches }) => new RuntimeClass(caches) },
  { name: 'CertificateApproval', byDefault: true, make: ({ authorize }) => new CertificateApproval(authorize) },
  { name: 'CertificateSigning', byDefault: true, make: ({ authorize }) => new CertificateSigning(authorize) },
  {
    name: 'ClusterTrustBundleAttest',
    byDefault: true,
    make: ({ authorize }) => new ClusterTrustBundleAttest(authorize),
  },
  { name: 'CertificateSubjectRestriction', byDefault: true, make: () => new CertificateSubjectRestriction() },
  { name: 'DefaultIngressClass', byDefault: true, make: ({ caches }) => new DefaultIngressClass(caches) },
  { name: 'DenyServiceExternalIPs', make: () => new DenyServiceExternalIPs() },
  { name: 'PodTopologyLabels', byDefault: true, make: ({ caches }) => new PodTopologyLabels(caches) },
  {
    name: 'PodGroupWorkloadExists',
    byDefault: true,
    when: (gates) => gates.GenericWorkload,
    make: ({ caches }) => new PodGroupWorkloadExists(caches),
  },
  {
    name: 'NodeDeclaredFeatureValidator',
    byDefault: true,
    when: (gates) => gates.NodeDeclaredFeatures,
    make: ({ caches }) => new NodeDeclaredFeatureValidator(caches),
  },
  {
    name: 'JobValidation',
    byDefault: true,
    when: (gates) => gates.GenericWorkload || gates.WorkloadWithJob,
    make: ({ caches }) => new JobValidation(caches),
  },
  { name: 'PodResizeValidator', byDefault: true, make: ({ caches }) => new PodResizeValidator(caches) },
  {
    name: 'MutatingAdmissionPolicy',
    byDefault: true,
    make: ({ userRules }) => userRules['MutatingAdmissionPolicy']?.(),
  },
  {
    name: 'MutatingAdmissionWebhook',
    byDefault: true,
    make: ({ userRules }) => userRules['MutatingAdmissionWebhook']?.(),
  },
  {
    name: 'ValidatingAdmissionPolicy',
    byDefault: true,
    make: ({ userRules }) => userRules['ValidatingAdmissionPolicy']?.(),
  },
  {
    name: 'ValidatingAdmissionWebhook',
    byDefault: true,
    make: ({ userRules }) => userRules['ValidatingAdmissionWebhook']?.(),
  },
  {
    name: 'ResourceQuota',
    byDefault: true,
    make: ({ caches, writeQuotaStatus, configurations }) =>
      new ResourceQuota(caches, writeQuotaStatus, configurations.ResourceQuota),
  },
  { name: 'AlwaysDeny', make: () => new AlwaysDeny() },
];

export function corePlugins(dependencies: PluginDependencies): PluginRegistry {
  return Object.fromEntries(
    corePluginTable.map(({ name, when, make }) => [
      name,
      () => (when === undefined || when(dependencies.gates) ? make?.(dependencies) : undefined),
    ]),
  );
}
