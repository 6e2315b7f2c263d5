import { validateReplicaSetStatus } from '#servers/core/apis/apps/status-validation.ts';
import { validateReplicationController } from '#servers/core/apis/apps/workload-validation.ts';
import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import { isObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject, setDefault } from '#shared/apimachinery/set-default.ts';
import { isLongName } from '#shared/apimachinery/validation/names.ts';
import { scaleView } from '#shared/registry/scale-view.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { applyPodTemplateDefaults } from './pods/pod-spec-defaults.ts';
import { replicationControllerRows } from './replication-controller-rows.ts';

/** ReplicationControllers (pkg/registry/core/replicationcontroller). */
const replicationControllerStrategy = (dependencies: StrategyDependencies): Strategy => ({
  defaultGarbageCollection: 'orphan',
  validateName: (name, isPrefix) => (isPrefix ? [] : isLongName(name)),
  applyDefaults(controller) {
    const spec = ensureObject(controller, 'spec');
    setDefault(spec, 'replicas', 1);
    applyPodTemplateDefaults(objectAt(spec, 'template'), dependencies.gates);
    const labels = objectAt(spec, 'template', 'metadata', 'labels');
    if (!labels) return;
    if (!isObject(spec['selector']) || Object.keys(spec['selector']).length === 0) spec['selector'] = { ...labels };
    takeTemplateLabels(controller);
  },
  // The reference does this again when it reads a stored controller.
  canonicalize: takeTemplateLabels,
  validateInSteps: (controller, old) => validateReplicationController(controller, dependencies, old),
  validateStatusUpdate: validateReplicaSetStatus,
  selectableFields: (controller) => ({
    'status.replicas': String(numberAt(objectAt(controller, 'status'), 'replicas') ?? 0),
  }),
});

/** Gives a controller without labels those of its pod template. */
function takeTemplateLabels(controller: KubeObject): void {
  const labels = objectAt(controller, 'spec', 'template', 'metadata', 'labels');
  if (labels && Object.keys(controller.metadata.labels ?? {}).length === 0)
    controller.metadata.labels = { ...labels } as Record<string, string>;
}

export const replicationControllerResource = defineBuiltIn({
  group: '',
  resource: 'replicationcontrollers',
  rows: replicationControllerRows,
  strategy: replicationControllerStrategy,
  writes: {
    generation: 'spec',
  },
  podHolder: { steps: ['spec', 'template'], namedAfter: 'Pod names and hostnames', warnsOfOld: true },
  subresources: () => ({ scale: { view: scaleView({ group: '', resource: 'replicationcontrollers' }, 'labels') } }),
});
