import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import { applyPodTemplateDefaults } from '#servers/core/apis/core/pods/pod-spec-defaults.ts';
import { sameMembers } from '#shared/api/same-by-type.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { semanticEqual } from '#shared/apimachinery/schema/deep-equal.ts';
import { ensureObject, setDefault, setDefaultText } from '#shared/apimachinery/set-default.ts';
import { addInt64 } from '#shared/apimachinery/values/int64.ts';
import { scaleView } from '#shared/registry/scale-view.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { dropEmptyRollback, keepRollback, normalizeRollback } from './annotated-integers.ts';
import { terminatingReplicas } from './gated-fields.ts';
import { oldDeploymentDefaults } from './old-versions.ts';
import { deploymentRows } from './rows.ts';
import { validateDeploymentStatus } from './status-validation.ts';
import { validateDeployment, validateDeploymentUpdate } from './workload-validation.ts';

/** Deployments (pkg/registry/apps/deployment). */
const deploymentStrategy = (dependencies: StrategyDependencies): Strategy => ({
  oldVersionDefaults: oldDeploymentDefaults,
  applyDefaults(deployment) {
    const spec = ensureObject(deployment, 'spec');
    setDefault(spec, 'replicas', 1);
    setDefault(spec, 'revisionHistoryLimit', 10);
    setDefault(spec, 'progressDeadlineSeconds', 600);
    const strategy = ensureObject(spec, 'strategy');
    setDefaultText(strategy, 'type', 'RollingUpdate');
    if (stringAt(strategy, 'type') === 'RollingUpdate') {
      const rolling = ensureObject(strategy, 'rollingUpdate');
      setDefault(rolling, 'maxUnavailable', '25%');
      setDefault(rolling, 'maxSurge', '25%');
    }
    applyPodTemplateDefaults(ensureObject(spec, 'template'), dependencies.gates);
    normalizeRollback(deployment);
  },
  canonicalize: dropEmptyRollback,
  validateInSteps: (deployment, old) =>
    old === undefined
      ? validateDeployment(deployment, dependencies)
      : validateDeploymentUpdate(deployment, dependencies, old),
  validateStatusUpdate: validateDeploymentStatus,
  prepareForUpdate(deployment, old) {
    // The controller copies annotations to the ReplicaSets, so a change of annotations raises the generation too. The
    // store itself raises it for changes of the spec.
    const { metadata } = deployment;
    if (
      semanticEqual(metadata.annotations, old.metadata.annotations) ||
      !sameMembers('io.k8s.api.apps.v1.Deployment', ['spec'], deployment, old)
    )
      return;
    metadata.generation = addInt64(old.metadata.generation ?? 0, 1);
  },
  prepareForStatusUpdate(deployment, old) {
    const labels = old.metadata.labels;
    if (labels) deployment.metadata.labels = labels;
    else delete deployment.metadata.labels;
    keepRollback(deployment, old);
  },
});

export const deploymentResource = defineBuiltIn({
  group: 'apps',
  resource: 'deployments',
  rows: deploymentRows,
  strategy: deploymentStrategy,
  writes: {
    generation: 'spec',
    resetFields: { '': [['status']], status: [['spec'], ['metadata', 'labels']] },
  },
  gatedFields: [terminatingReplicas],
  podHolder: { steps: ['spec', 'template'], namedAfter: 'Pod names and hostnames' },
  subresources: () => ({ scale: { view: scaleView({ group: 'apps', resource: 'deployments' }) } }),
});
