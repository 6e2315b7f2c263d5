import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import { applyPodTemplateDefaults } from '#servers/core/apis/core/pods/pod-spec-defaults.ts';
import { numberAt, objectAt } from '#shared/apimachinery/object.ts';
import { ensureObject, setDefault } from '#shared/apimachinery/set-default.ts';
import { scaleView } from '#shared/registry/scale-view.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { terminatingReplicas } from './gated-fields.ts';
import { oldReplicaSetDefaults } from './old-versions.ts';
import { replicaSetRows } from './rows.ts';
import { validateReplicaSetStatus } from './status-validation.ts';
import { validateReplicaSet, validateReplicaSetUpdate } from './workload-validation.ts';

/** ReplicaSets (pkg/registry/apps/replicaset). */
const replicaSetStrategy = (dependencies: StrategyDependencies): Strategy => ({
  oldVersionDefaults: oldReplicaSetDefaults,
  applyDefaults(replicaSet) {
    const spec = ensureObject(replicaSet, 'spec');
    setDefault(spec, 'replicas', 1);
    applyPodTemplateDefaults(ensureObject(spec, 'template'), dependencies.gates);
  },
  validateInSteps: (replicaSet, old) =>
    old === undefined
      ? validateReplicaSet(replicaSet, dependencies)
      : validateReplicaSetUpdate(replicaSet, dependencies, old),
  validateStatusUpdate: validateReplicaSetStatus,
  selectableFields: (replicaSet) => ({
    'status.replicas': String(numberAt(objectAt(replicaSet, 'status'), 'replicas') ?? 0),
  }),
});

export const replicaSetResource = defineBuiltIn({
  group: 'apps',
  resource: 'replicasets',
  rows: replicaSetRows,
  strategy: replicaSetStrategy,
  writes: {
    generation: 'spec',
  },
  gatedFields: [terminatingReplicas],
  podHolder: { steps: ['spec', 'template'], namedAfter: 'Pod names and hostnames' },
  subresources: () => ({ scale: { view: scaleView({ group: 'apps', resource: 'replicasets' }) } }),
});
