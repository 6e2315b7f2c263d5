import { numberAt, objectAt } from '../../../shared/apimachinery/object.ts';
import { ensureObject, setDefault } from '../../../shared/apimachinery/set-default.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';
import { applyPodTemplateDefaults } from '../core/pod-spec-defaults.ts';
import { validateReplicaSetStatus } from './status-validation.ts';
import { validateReplicaSet, validateReplicaSetUpdate } from './workload-validation.ts';

/** ReplicaSets (pkg/registry/apps/replicaset). */
export const replicaSetStrategy: Strategy = {
  applyDefaults(replicaSet) {
    const spec = ensureObject(replicaSet, 'spec');
    setDefault(spec, 'replicas', 1);
    applyPodTemplateDefaults(ensureObject(spec, 'template'));
  },
  validate: (_context, replicaSet) => validateReplicaSet(replicaSet),
  validateUpdate: (_context, replicaSet, old) => validateReplicaSetUpdate(replicaSet, old),
  validateStatusUpdate: (_context, replicaSet) => validateReplicaSetStatus(replicaSet),
  selectableFields: (replicaSet) => ({ 'status.replicas': String(numberAt(objectAt(replicaSet, 'status'), 'replicas') ?? 0) }),
};
