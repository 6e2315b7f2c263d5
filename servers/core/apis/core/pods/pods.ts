import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import { ipWarnings } from '#servers/core/warnings/addresses.ts';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import { int64At, type KubeObject, objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { ensureObject } from '#shared/apimachinery/set-default.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import type { Int64 } from '#shared/apimachinery/values/int64.ts';
import { timeFromMs } from '#shared/apimachinery/values/time.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { gatedPodStatusFields } from './gated-pod-fields.ts';
import { mergeLabelKeys } from './pod-label-keys.ts';
import { podQosClass } from './pod-qos.ts';
import { podRows } from './pod-rows.ts';
import { applyPodOnlyDefaults, applyPodSpecDefaults } from './pod-spec-defaults.ts';
import { applyPodStatusDefaults } from './pod-status-defaults.ts';
import { validatePodStatus } from './pod-status-validation.ts';
import { podSubresources } from './pod-subresources.ts';
import { applyAppArmorAnnotations } from './validation/app-armor.ts';
import { validatePodCreate, validatePodUpdate } from './validation/pods.ts';

/** Pods (pkg/registry/core/pod). */
const podStrategy = (dependencies: StrategyDependencies): Strategy => ({
  applyDefaults(pod) {
    const spec = ensureObject(pod, 'spec');
    applyPodSpecDefaults(spec, dependencies.gates);
    applyPodOnlyDefaults(spec, dependencies.gates);
    // This correction is for pods only, not for templates (pkg/apis/core/v1/conversion.go).
    if ((int64At(spec, 'terminationGracePeriodSeconds') ?? 0) < 0) spec['terminationGracePeriodSeconds'] = 1;
    const status = objectAt(pod, 'status');
    if (status !== undefined) applyPodStatusDefaults(status);
  },
  keepsStatusOnCreate: true,
  prepareForCreate(pod, context) {
    // Only the QoS class is kept from the status in the request.
    pod['status'] = {
      phase: 'Pending',
      qosClass: stringAt(pod, 'status', 'qosClass') || podQosClass(ensureObject(pod, 'spec'), dependencies.gates),
    };
    addGatedCondition(pod, context.nowMs);
    mergeLabelKeys(pod, dependencies.gates);
    applyAppArmorAnnotations(pod, (text) => context.addWarning(text));
  },
  validate: (pod) => atOnce(validatePodCreate(pod, dependencies)),
  prepareForUpdate(pod, old) {
    if (old['status'] !== undefined) pod['status'] = old['status'];
  },
  prepareForStatusUpdate(pod, old) {
    const status = ensureObject(pod, 'status');
    if (stringAt(status, 'qosClass') === '') status['qosClass'] = stringAt(objectAt(old, 'status'), 'qosClass');
    delete pod.metadata.deletionTimestamp;
    // Old kubelets wrote owner references that broke garbage collection.
    if (old.metadata.ownerReferences) pod.metadata.ownerReferences = old.metadata.ownerReferences;
    else delete pod.metadata.ownerReferences;
  },
  validateUpdate: (pod, old) => atOnce(validatePodUpdate(pod, old, dependencies)),
  validateInSteps: (pod, old) =>
    old === undefined ? validatePodCreate(pod, dependencies) : validatePodUpdate(pod, old, dependencies),
  validateStatusUpdate: (pod, old) => validatePodStatus(pod, old, dependencies.gates),
  warningsOnStatusUpdate: (pod) =>
    ['podIPs', 'hostIPs'].flatMap((list) => ipWarnings(objectsAt(pod, 'status', list), path('status', list), 'ip')),
  gracePeriodSeconds,
  selectableFields(pod) {
    const spec = objectAt(pod, 'spec');
    const status = objectAt(pod, 'status');
    return {
      'spec.nodeName': stringAt(spec, 'nodeName'),
      'spec.restartPolicy': stringAt(spec, 'restartPolicy'),
      'spec.schedulerName': stringAt(spec, 'schedulerName'),
      'spec.serviceAccountName': stringAt(spec, 'serviceAccountName'),
      'spec.hostNetwork': String(spec?.['hostNetwork'] === true),
      'status.phase': stringAt(status, 'phase'),
      'status.podIP': stringAt(objectsAt(status, 'podIPs')[0], 'ip'),
      'status.nominatedNodeName': stringAt(status, 'nominatedNodeName'),
    };
  },
});

/** Gives a new pod with scheduling gates the condition that shows it. */
function addGatedCondition(pod: KubeObject, nowMs: number): void {
  if (objectsAt(ensureObject(pod, 'spec'), 'schedulingGates').length === 0) return;
  ensureObject(pod, 'status')['conditions'] = [
    {
      type: 'PodScheduled',
      status: 'False',
      reason: 'SchedulingGated',
      message: 'Scheduling is blocked due to non-empty scheduling gates',
      lastProbeTime: null,
      lastTransitionTime: timeFromMs(nowMs),
    },
  ];
}

/** The grace period of a deletion: zero for a pod that was never scheduled or has finished. */
function gracePeriodSeconds(pod: KubeObject, requested: Int64 | undefined): Int64 {
  const spec = objectAt(pod, 'spec');
  const phase = stringAt(objectAt(pod, 'status'), 'phase');
  if (stringAt(spec, 'nodeName') === '' || phase === 'Succeeded' || phase === 'Failed') return 0;
  const period = requested ?? int64At(spec, 'terminationGracePeriodSeconds') ?? 30;
  return period < 0 ? 1 : period;
}

export const podResource = defineBuiltIn({
  group: '',
  resource: 'pods',
  rows: podRows,
  strategy: podStrategy,
  writes: {
    metadataOnUpdate: 'both',
    generation: 'spec',
    // In the reference, two more pod subresources define reset fields, but no store uses them.
    resetFields: {
      '': [['status']],
      status: [['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']],
    },
  },
  gatedFields: gatedPodStatusFields,
  podHolder: {
    steps: [],
    namedAfter: "the Pod's hostname",
    // Updates get no warnings: users seldom update pods by hand.
    isChanged: () => false,
  },
  subresources: podSubresources,
});
