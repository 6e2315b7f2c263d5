import { getKey } from '../../shared/apimachinery/json.ts';
import { objectAt } from '../../shared/apimachinery/object.ts';
import type { Strategy } from '../../shared/registry/strategy.ts';
import { mutatingBindingStrategy, mutatingPolicyStrategy, validatingBindingStrategy, validatingPolicyStrategy } from './admissionregistration/admission-policies.ts';
import { mutatingWebhookStrategy, validatingWebhookStrategy } from './admissionregistration/webhook-configurations.ts';
import { storageVersionStrategy } from './apiserverinternal/storage-versions.ts';
import { controllerRevisionStrategy } from './apps/controller-revisions.ts';
import { daemonSetStrategy } from './apps/daemon-sets.ts';
import { deploymentStrategy } from './apps/deployments.ts';
import { replicaSetStrategy } from './apps/replica-sets.ts';
import { statefulSetStrategy } from './apps/stateful-sets.ts';
import { horizontalPodAutoscalerStrategy } from './autoscaling/horizontal-pod-autoscalers.ts';
import { cronJobStrategy } from './batch/cron-jobs.ts';
import { jobStrategy } from './batch/jobs.ts';
import { clusterTrustBundleStrategy } from './certificates/cluster-trust-bundles.ts';
import { podCertificateRequestStrategy, type SignerGuard } from './certificates/pod-certificate-requests.ts';
import { signingRequestStrategy } from './certificates/signing-requests.ts';
import { leaseCandidateStrategy } from './coordination/lease-candidates.ts';
import { leaseStrategy } from './coordination/leases.ts';
import { configMapStrategy } from './core/config-maps.ts';
import { disabledPodFields } from './core/disabled-pod-fields.ts';
import { endpointsStrategy } from './core/endpoints.ts';
import { eventStrategy } from './core/events.ts';
import { limitRangeStrategy } from './core/limit-ranges.ts';
import { namespaceStrategy } from './core/namespaces.ts';
import { nodeStrategy } from './core/nodes.ts';
import { persistentVolumeClaimStrategy } from './core/persistent-volume-claims.ts';
import { persistentVolumeStrategy } from './core/persistent-volumes.ts';
import { podTemplateStrategy } from './core/pod-templates.ts';
import { withPodRules } from './core/pod-templates-of-resources.ts';
import { podStrategy } from './core/pods.ts';
import { replicationControllerStrategy } from './core/replication-controllers.ts';
import { resourceQuotaStrategy } from './core/resource-quotas.ts';
import { secretStrategy } from './core/secrets.ts';
import { serviceAccountStrategy } from './core/service-accounts.ts';
import type { ServiceAllocators } from './core/service-allocation.ts';
import { serviceStrategy } from './core/services.ts';
import { endpointSliceStrategy } from './discovery/endpoint-slices.ts';
import { flowSchemaStrategy, priorityLevelStrategy } from './flowcontrol/flow-control.ts';
import { countAsSent, gatedFields } from './gates/gated-fields.ts';
import { gates } from './gates/gates.ts';
import { withGatedFields } from './gates/with-gated-fields.ts';
import { ingressClassStrategy } from './networking/ingress-classes.ts';
import { ingressStrategy } from './networking/ingresses.ts';
import { ipAddressStrategy } from './networking/ip-addresses.ts';
import { networkPolicyStrategy } from './networking/network-policies.ts';
import { serviceCidrStrategy } from './networking/service-cidrs.ts';
import { runtimeClassStrategy } from './node/runtime-classes.ts';
import { podDisruptionBudgetStrategy } from './policy/pod-disruption-budgets.ts';
import { roleStrategies, type RoleGuard } from './rbac/role-strategies.ts';
import { withAdminAccess, type NamespaceLabels } from './resource/admin-access.ts';
import { withStatusAuthorization, type ClaimGuard } from './resource/claim-authorization.ts';
import { claimStatusRules } from './resource/claim-status.ts';
import { deviceTaintRuleStrategy } from './resource/device-taints.ts';
import { deviceClassStrategy, resourceClaimStrategy, resourceClaimTemplateStrategy } from './resource/device-requests.ts';
import { poolStatusRequestStrategy } from './resource/pool-status-requests.ts';
import { resourceSliceStrategy } from './resource/resource-slices.ts';
import { podGroupStrategy } from './scheduling/pod-groups.ts';
import { priorityClassStrategy } from './scheduling/priority-classes.ts';
import { workloadStrategy } from './scheduling/workloads.ts';
import { csiDriverStrategy } from './storage/csi-drivers.ts';
import { csiNodeStrategy } from './storage/csi-nodes.ts';
import { csiStorageCapacityStrategy } from './storage/csi-storage-capacities.ts';
import { storageClassStrategy, volumeAttributesClassStrategy } from './storage/storage-classes.ts';
import { volumeAttachmentStrategy } from './storage/volume-attachments.ts';
import { storageVersionMigrationStrategy } from './storagemigration/storage-version-migrations.ts';
import { resetFieldsOfResource } from './reset-fields.ts';
import { updatePolicy } from './update-policies.ts';

export interface StrategyParts extends ServiceAllocators, RoleGuard, NamespaceLabels, ClaimGuard, SignerGuard {
  /** `--event-ttl`, whole seconds. */
  readonly eventTtlSeconds: number;
}

/** The strategy of each stored resource: what its file says, on top of how PUT and generation behave. */
export function coreStrategies(parts: StrategyParts): (group: string, resource: string) => Strategy {
  const event = eventStrategy(parts.eventTtlSeconds);
  const special: Readonly<Record<string, Strategy>> = {
    '/configmaps': configMapStrategy,
    '/endpoints': endpointsStrategy,
    '/events': event,
    '/limitranges': limitRangeStrategy,
    '/namespaces': namespaceStrategy,
    '/nodes': nodeStrategy,
    '/persistentvolumeclaims': persistentVolumeClaimStrategy,
    '/persistentvolumes': persistentVolumeStrategy,
    '/pods': podStrategy,
    '/podtemplates': podTemplateStrategy,
    '/replicationcontrollers': replicationControllerStrategy,
    '/resourcequotas': resourceQuotaStrategy,
    '/secrets': secretStrategy,
    '/serviceaccounts': serviceAccountStrategy,
    '/services': serviceStrategy(parts),
    'admissionregistration.k8s.io/mutatingadmissionpolicies': mutatingPolicyStrategy,
    'admissionregistration.k8s.io/mutatingadmissionpolicybindings': mutatingBindingStrategy,
    'admissionregistration.k8s.io/mutatingwebhookconfigurations': mutatingWebhookStrategy,
    'admissionregistration.k8s.io/validatingadmissionpolicies': validatingPolicyStrategy,
    'admissionregistration.k8s.io/validatingadmissionpolicybindings': validatingBindingStrategy,
    'admissionregistration.k8s.io/validatingwebhookconfigurations': validatingWebhookStrategy,
    'apps/controllerrevisions': controllerRevisionStrategy,
    'apps/daemonsets': daemonSetStrategy,
    'apps/deployments': deploymentStrategy,
    'apps/replicasets': replicaSetStrategy,
    'apps/statefulsets': statefulSetStrategy,
    'autoscaling/horizontalpodautoscalers': horizontalPodAutoscalerStrategy,
    'batch/cronjobs': cronJobStrategy,
    'batch/jobs': jobStrategy,
    'certificates.k8s.io/certificatesigningrequests': signingRequestStrategy,
    'certificates.k8s.io/clustertrustbundles': clusterTrustBundleStrategy,
    'certificates.k8s.io/podcertificaterequests': podCertificateRequestStrategy(parts),
    'coordination.k8s.io/leasecandidates': leaseCandidateStrategy,
    'coordination.k8s.io/leases': leaseStrategy,
    'discovery.k8s.io/endpointslices': endpointSliceStrategy,
    'events.k8s.io/events': event,
    'flowcontrol.apiserver.k8s.io/flowschemas': flowSchemaStrategy,
    'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': priorityLevelStrategy,
    'internal.apiserver.k8s.io/storageversions': storageVersionStrategy,
    'networking.k8s.io/ingressclasses': ingressClassStrategy,
    'networking.k8s.io/ingresses': ingressStrategy,
    'networking.k8s.io/ipaddresses': ipAddressStrategy,
    'networking.k8s.io/networkpolicies': networkPolicyStrategy,
    'networking.k8s.io/servicecidrs': serviceCidrStrategy(),
    'node.k8s.io/runtimeclasses': runtimeClassStrategy,
    'policy/poddisruptionbudgets': podDisruptionBudgetStrategy,
    'resource.k8s.io/deviceclasses': deviceClassStrategy,
    'resource.k8s.io/devicetaintrules': deviceTaintRuleStrategy,
    'resource.k8s.io/resourceclaims': withAdminAccess(withStatusAuthorization({ ...resourceClaimStrategy, ...claimStatusRules }, parts), parts, (claim) => objectAt(claim, 'spec', 'devices')),
    'resource.k8s.io/resourceclaimtemplates': withAdminAccess(resourceClaimTemplateStrategy, parts, (template) => objectAt(template, 'spec', 'spec', 'devices')),
    'resource.k8s.io/resourcepoolstatusrequests': poolStatusRequestStrategy,
    'resource.k8s.io/resourceslices': resourceSliceStrategy,
    'scheduling.k8s.io/podgroups': podGroupStrategy,
    'scheduling.k8s.io/priorityclasses': priorityClassStrategy,
    'scheduling.k8s.io/workloads': workloadStrategy(gates),
    'storage.k8s.io/csidrivers': csiDriverStrategy,
    'storage.k8s.io/csinodes': csiNodeStrategy,
    'storage.k8s.io/csistoragecapacities': csiStorageCapacityStrategy,
    'storage.k8s.io/storageclasses': storageClassStrategy,
    'storage.k8s.io/volumeattachments': volumeAttachmentStrategy,
    'storage.k8s.io/volumeattributesclasses': volumeAttributesClassStrategy,
    'storagemigration.k8s.io/storageversionmigrations': storageVersionMigrationStrategy,
    ...roleStrategies(parts),
  };
  const made = new Map<string, Strategy>();
  const dropFromPods = disabledPodFields(gates);
  return (group, resource) => {
    const key = `${group}/${resource}`;
    const known = made.get(key);
    if (known) return known;
    const resetFields = resetFieldsOfResource(group, resource);
    const strategy: Strategy = { ...updatePolicy(group, resource), ...(resetFields === undefined ? {} : { resetFields }), ...getKey(special, key) };
    const whole = withGatedFields(withPodRules(key, strategy, dropFromPods), getKey(gatedFields, key) ?? [], gates, countAsSent.has(key));
    made.set(key, whole);
    return whole;
  };
}
