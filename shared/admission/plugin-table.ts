/** One plugin that the reference knows, in its fixed order. */
export interface PluginEntry {
  readonly name: string;
  /** Enabled without any flag. */
  readonly byDefault: boolean;
  /** Whether it exists here: nobody may rely on one that does not. */
  readonly isBuilt: boolean;
}

const table = `
AlwaysAdmit, NamespaceAutoProvision, NamespaceLifecycle*, NamespaceExists, LimitPodHardAntiAffinityTopology, LimitRanger*,
ServiceAccount*, NodeRestriction, TaintNodesByCondition*, AlwaysPullImages, ImagePolicyWebhook-, PodSecurity*, PodNodeSelector-,
Priority*, DefaultTolerationSeconds*, PodTolerationRestriction-, EventRateLimit-, ExtendedResourceToleration, DefaultStorageClass*,
StorageObjectInUseProtection*, PodGroupProtection*, OwnerReferencesPermissionEnforcement, PersistentVolumeClaimResize*,
RuntimeClass*, CertificateApproval*, CertificateSigning*, ClusterTrustBundleAttest*, CertificateSubjectRestriction*,
DefaultIngressClass*, DenyServiceExternalIPs, PodTopologyLabels*, PodGroupWorkloadExists*, NodeDeclaredFeatureValidator*,
JobValidation*, PodResizeValidator*, MutatingAdmissionPolicy*-, MutatingAdmissionWebhook*-, ValidatingAdmissionPolicy*-,
ValidatingAdmissionWebhook*-, ResourceQuota*, AlwaysDeny`;

/**
 * All plugins of kube-apiserver v1.36 in the order in which they run; a star marks the default ones, a dash those that
 * are not built yet.
 */
export const pluginTable: readonly PluginEntry[] = table.split(',').map((cell) => {
  const text = cell.trim();
  return { name: text.replace(/[*-]+$/, ''), byDefault: text.includes('*'), isBuilt: !text.endsWith('-') };
});
