import type { PluginRegistry } from '../../../shared/admission/admission-chain.ts';
import { AlwaysAdmit, AlwaysDeny } from '../../../shared/admission/always.ts';
import type { AdmissionPlugin } from '../../../shared/admission/contract/admission.ts';
import type { Authorize } from '../../../shared/admission/contract/authorize.ts';
import { CertificateApproval } from './certificates/certificate-approval.ts';
import { CertificateSigning } from './certificates/certificate-signing.ts';
import { CertificateSubjectRestriction } from './certificates/certificate-subject-restriction.ts';
import { ClusterTrustBundleAttest } from './certificates/cluster-trust-bundle-attest.ts';
import type { Gates } from '../gates/gates.ts';
import { JobValidation } from './jobs/job-validation.ts';
import { LimitRanger } from './limits/limit-ranger.ts';
import {
  NamespaceAutoProvision,
  type CreateNamespace,
} from '../../../shared/admission/namespaces/namespace-auto-provision.ts';
import { NamespaceExists } from '../../../shared/admission/namespaces/namespace-exists.ts';
import { NamespaceLifecycle } from '../../../shared/admission/namespaces/namespace-lifecycle.ts';
import { NodeRestriction } from './nodes/node-restriction.ts';
import { TaintNodesByCondition } from './nodes/taint-nodes-by-condition.ts';
import type { ObjectCaches } from '../../../shared/admission/contract/object-lister.ts';
import {
  OwnerReferencesPermissionEnforcement,
  type ResourceOfKind,
} from './owner-references-permission-enforcement.ts';
import { AlwaysPullImages } from './pods/always-pull-images.ts';
import { DefaultTolerationSeconds, type TolerationSeconds } from './pods/default-toleration-seconds.ts';
import { ExtendedResourceToleration } from './pods/extended-resource-toleration.ts';
import { LimitPodHardAntiAffinityTopology } from './pods/limit-pod-hard-anti-affinity-topology.ts';
import { NodeDeclaredFeatureValidator } from './pods/node-declared-feature-validator.ts';
import { PodResizeValidator } from './pods/pod-resize-validator.ts';
import { PodTopologyLabels } from './pods/pod-topology-labels.ts';
import { PodSecurity } from './pod-security/pod-security.ts';
import { Priority } from './pods/priority.ts';
import { RuntimeClass } from './pods/runtime-class.ts';
import { ServiceAccount } from './pods/service-account.ts';
import { podGroupProtection, storageObjectInUseProtection } from './protection-finalizer.ts';
import { ResourceQuota } from '../../../shared/admission/quota/resource-quota.ts';
import type { WriteQuotaStatus } from '../../../shared/admission/quota/quota-ledger.ts';
import { DefaultIngressClass } from './services/default-ingress-class.ts';
import { DenyServiceExternalIPs } from './services/deny-service-external-ips.ts';
import { DefaultStorageClass } from './storage/default-storage-class.ts';
import { PersistentVolumeClaimResize } from './storage/persistent-volume-claim-resize.ts';
import { PodGroupWorkloadExists } from './scheduling/pod-group-workload-exists.ts';

/** What plugins are given to work with; each takes its part. */
export interface PluginParts {
  readonly caches: ObjectCaches;
  readonly gates: Gates;
  readonly authorize: Authorize;
  readonly createNamespace: CreateNamespace;
  readonly writeQuotaStatus: WriteQuotaStatus;
  readonly resourceOfKind: ResourceOfKind;
  readonly tolerationSeconds: TolerationSeconds;
}

/**
 * The plugins of the built-in resources. Undefined for one that has nothing to look at while its gate is off. Order and
 * defaults are in `shared/admission/plugin-table.ts`.
 */
const plugins: Readonly<Record<string, (parts: PluginParts) => AdmissionPlugin | undefined>> = {
  AlwaysAdmit: () => new AlwaysAdmit(),
  AlwaysDeny: () => new AlwaysDeny(),
  AlwaysPullImages: () => new AlwaysPullImages(),
  CertificateApproval: ({ authorize }) => new CertificateApproval(authorize),
  CertificateSigning: ({ authorize }) => new CertificateSigning(authorize),
  CertificateSubjectRestriction: () => new CertificateSubjectRestriction(),
  ClusterTrustBundleAttest: ({ authorize }) => new ClusterTrustBundleAttest(authorize),
  DefaultIngressClass: ({ caches }) => new DefaultIngressClass(caches),
  DefaultStorageClass: ({ caches }) => new DefaultStorageClass(caches),
  DefaultTolerationSeconds: ({ tolerationSeconds }) => new DefaultTolerationSeconds(tolerationSeconds),
  DenyServiceExternalIPs: () => new DenyServiceExternalIPs(),
  ExtendedResourceToleration: () => new ExtendedResourceToleration(),
  JobValidation: ({ caches, gates }) =>
    gates.GenericWorkload || gates.WorkloadWithJob ? new JobValidation(caches) : undefined,
  LimitPodHardAntiAffinityTopology: () => new LimitPodHardAntiAffinityTopology(),
  LimitRanger: ({ caches }) => new LimitRanger(caches),
  NamespaceAutoProvision: ({ caches, createNamespace }) => new NamespaceAutoProvision(caches, createNamespace),
  NamespaceExists: ({ caches }) => new NamespaceExists(caches),
  NamespaceLifecycle: ({ caches }) => new NamespaceLifecycle(caches.cache('', 'namespaces')),
  NodeDeclaredFeatureValidator: ({ caches, gates }) =>
    gates.NodeDeclaredFeatures ? new NodeDeclaredFeatureValidator(caches) : undefined,
  NodeRestriction: ({ caches, authorize, gates }) =>
    new NodeRestriction(caches, authorize, gates.ServiceAccountNodeAudienceRestriction),
  OwnerReferencesPermissionEnforcement: ({ authorize, resourceOfKind }) =>
    new OwnerReferencesPermissionEnforcement(authorize, resourceOfKind),
  PersistentVolumeClaimResize: ({ caches }) => new PersistentVolumeClaimResize(caches),
  PodGroupProtection: podGroupProtection,
  PodGroupWorkloadExists: ({ caches, gates }) =>
    gates.GenericWorkload ? new PodGroupWorkloadExists(caches) : undefined,
  PodResizeValidator: ({ caches }) => new PodResizeValidator(caches),
  PodSecurity: ({ caches }) => new PodSecurity(caches),
  PodTopologyLabels: ({ caches }) => new PodTopologyLabels(caches),
  Priority: ({ caches, gates }) => new Priority(caches, gates.WorkloadAwarePreemption),
  ResourceQuota: ({ caches, writeQuotaStatus }) => new ResourceQuota(caches, writeQuotaStatus),
  RuntimeClass: ({ caches }) => new RuntimeClass(caches),
  ServiceAccount: ({ caches }) => new ServiceAccount(caches),
  StorageObjectInUseProtection: storageObjectInUseProtection,
  TaintNodesByCondition: () => new TaintNodesByCondition(),
};

export function corePlugins(parts: PluginParts): PluginRegistry {
  return Object.fromEntries(Object.entries(plugins).map(([name, make]) => [name, () => make(parts)]));
}
