import type { AdmissionChain } from './admission.ts';
import { createAdmissionChain, type AdmissionFlags, type PluginRegistry } from './admission-chain.ts';
import { AlwaysAdmit, AlwaysDeny } from './always.ts';
import type { Authorize } from './authorize.ts';
import { CertificateApproval } from './certificates/certificate-approval.ts';
import { CertificateSigning } from './certificates/certificate-signing.ts';
import { CertificateSubjectRestriction } from './certificates/certificate-subject-restriction.ts';
import { ClusterTrustBundleAttest } from './certificates/cluster-trust-bundle-attest.ts';
import { LimitRanger } from './limits/limit-ranger.ts';
import { NamespaceAutoProvision, type CreateNamespace } from './namespaces/namespace-auto-provision.ts';
import { NamespaceExists } from './namespaces/namespace-exists.ts';
import { NamespaceLifecycle } from './namespaces/namespace-lifecycle.ts';
import { TaintNodesByCondition } from './nodes/taint-nodes-by-condition.ts';
import type { ObjectCaches } from './object-lister.ts';
import { OwnerReferencesPermissionEnforcement, type ResourceOfKind } from './owner-references-permission-enforcement.ts';
import { AlwaysPullImages } from './pods/always-pull-images.ts';
import { DefaultTolerationSeconds, type TolerationSeconds } from './pods/default-toleration-seconds.ts';
import { ExtendedResourceToleration } from './pods/extended-resource-toleration.ts';
import { LimitPodHardAntiAffinityTopology } from './pods/limit-pod-hard-anti-affinity-topology.ts';
import { PodResizeValidator } from './pods/pod-resize-validator.ts';
import { PodTopologyLabels } from './pods/pod-topology-labels.ts';
import { PodSecurity } from './pod-security/pod-security.ts';
import { Priority } from './pods/priority.ts';
import { RuntimeClass } from './pods/runtime-class.ts';
import { ServiceAccount } from './pods/service-account.ts';
import { podGroupProtection, storageObjectInUseProtection } from './protection-finalizer.ts';
import { ResourceQuota } from './quota/resource-quota.ts';
import type { WriteQuotaStatus } from './quota/quota-ledger.ts';
import { DefaultIngressClass } from './services/default-ingress-class.ts';
import { DenyServiceExternalIPs } from './services/deny-service-external-ips.ts';
import { DefaultStorageClass } from './storage/default-storage-class.ts';
import { PersistentVolumeClaimResize } from './storage/persistent-volume-claim-resize.ts';

export interface BuiltInAdmissionParts {
  readonly flags: AdmissionFlags;
  readonly caches: ObjectCaches;
  readonly authorize: Authorize;
  readonly createNamespace: CreateNamespace;
  readonly writeQuotaStatus: WriteQuotaStatus;
  readonly resourceOfKind: ResourceOfKind;
  /** Default: five minutes each. */
  readonly tolerationSeconds?: TolerationSeconds;
  /** Further plugins that a server brings along. */
  readonly plugins?: PluginRegistry;
}

/** The chain for the built-in resources. Plugins that do not exist yet are left out. */
export function createBuiltInAdmission(parts: BuiltInAdmissionParts): AdmissionChain {
  const { flags, plugins = {} } = parts;
  return createAdmissionChain(flags, { ...builtIn(parts), ...plugins });
}

function builtIn({ caches, authorize, createNamespace, writeQuotaStatus, resourceOfKind, tolerationSeconds }: BuiltInAdmissionParts): PluginRegistry {
  return {
    AlwaysAdmit: () => new AlwaysAdmit(),
    AlwaysDeny: () => new AlwaysDeny(),
    AlwaysPullImages: () => new AlwaysPullImages(),
    CertificateApproval: () => new CertificateApproval(authorize),
    CertificateSigning: () => new CertificateSigning(authorize),
    CertificateSubjectRestriction: () => new CertificateSubjectRestriction(),
    ClusterTrustBundleAttest: () => new ClusterTrustBundleAttest(authorize),
    DefaultIngressClass: () => new DefaultIngressClass(caches),
    DefaultStorageClass: () => new DefaultStorageClass(caches),
    DefaultTolerationSeconds: () => new DefaultTolerationSeconds(tolerationSeconds),
    DenyServiceExternalIPs: () => new DenyServiceExternalIPs(),
    ExtendedResourceToleration: () => new ExtendedResourceToleration(),
    LimitPodHardAntiAffinityTopology: () => new LimitPodHardAntiAffinityTopology(),
    LimitRanger: () => new LimitRanger(caches),
    NamespaceAutoProvision: () => new NamespaceAutoProvision(caches, createNamespace),
    NamespaceExists: () => new NamespaceExists(caches),
    NamespaceLifecycle: () => new NamespaceLifecycle(caches.cache('', 'namespaces')),
    OwnerReferencesPermissionEnforcement: () => new OwnerReferencesPermissionEnforcement(authorize, resourceOfKind),
    PersistentVolumeClaimResize: () => new PersistentVolumeClaimResize(caches),
    PodGroupProtection: podGroupProtection,
    PodResizeValidator: () => new PodResizeValidator(caches),
    PodSecurity: () => new PodSecurity(caches),
    PodTopologyLabels: () => new PodTopologyLabels(caches),
    Priority: () => new Priority(caches),
    ResourceQuota: () => new ResourceQuota(caches, writeQuotaStatus),
    RuntimeClass: () => new RuntimeClass(caches),
    ServiceAccount: () => new ServiceAccount(caches),
    StorageObjectInUseProtection: storageObjectInUseProtection,
    TaintNodesByCondition: () => new TaintNodesByCondition(),
  };
}
