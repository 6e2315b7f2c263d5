import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import { applyPodTemplateDefaults } from '#servers/core/apis/core/pods/pod-spec-defaults.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import { objectAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { semanticEqualAs } from '#shared/apimachinery/schema/deep-equal.ts';
import type { Schema } from '#shared/apimachinery/schema/schema.ts';
import { ensureObject, setDefault, setDefaultText } from '#shared/apimachinery/set-default.ts';
import { addInt64, type Int64, toInt64 } from '#shared/apimachinery/values/int64.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { DecodeError } from '#shared/serializer/decode-errors.ts';
import { int64Fault } from './annotated-integers.ts';
import { oldDaemonSetDefaults } from './old-versions.ts';
import { daemonSetRows } from './rows.ts';
import { validateDaemonSetStatus } from './status-validation.ts';
import { validateDaemonSet, validateDaemonSetUpdate } from './workload-validation.ts';

/** DaemonSets (pkg/registry/apps/daemonset). */
const daemonSetStrategy = (dependencies: StrategyDependencies): Strategy => ({
  oldVersionDefaults: oldDaemonSetDefaults,
  applyDefaults(daemonSet) {
    const spec = ensureObject(daemonSet, 'spec');
    const update = ensureObject(spec, 'updateStrategy');
    setDefaultText(update, 'type', 'RollingUpdate');
    if (stringAt(update, 'type') === 'RollingUpdate') {
      const rolling = ensureObject(update, 'rollingUpdate');
      setDefault(rolling, 'maxUnavailable', 1);
      setDefault(rolling, 'maxSurge', 0);
    }
    setDefault(spec, 'revisionHistoryLimit', 10);
    applyPodTemplateDefaults(ensureObject(spec, 'template'), dependencies.gates);
    // In the reference every conversion sets the annotation, so the first writer owns it.
    const generation = daemonSet.metadata.annotations?.[templateGenerationKey];
    if (generation === undefined) setTemplateGeneration(daemonSet, 0);
    else checkGeneration(generation);
  },
  validateInSteps: (daemonSet, old) =>
    old === undefined
      ? validateDaemonSet(daemonSet, dependencies)
      : validateDaemonSetUpdate(daemonSet, dependencies, old),
  validateStatusUpdate: validateDaemonSetStatus,
  prepareForCreate(daemonSet) {
    const generation = templateGeneration(daemonSet);
    setTemplateGeneration(daemonSet, generation < 1 ? 1 : generation);
  },
  prepareForUpdate(daemonSet, old) {
    const changed = !semanticEqualAs(
      templateSchema(),
      objectAt(daemonSet, 'spec', 'template'),
      objectAt(old, 'spec', 'template'),
    );
    setTemplateGeneration(daemonSet, addInt64(templateGeneration(old), changed ? 1 : 0));
  },
  // `templateGeneration` is a field of the spec in the reference, so a write of the status keeps the old value.
  prepareForStatusUpdate: (daemonSet, old) => setTemplateGeneration(daemonSet, templateGeneration(old)),
});

function templateSchema(): Schema {
  const schema = loadFacts().model('io.k8s.api.core.v1.PodTemplateSpec');
  if (schema === undefined) throw new TypeError('no PodTemplateSpec among the facts');
  return schema;
}

/** Counts changes of the template. It is an annotation because the served versions no longer have the field. */
const templateGenerationKey = 'deprecated.daemonset.template.generation';

/** @throws DecodeError if the text is not a 64-bit integer */
function checkGeneration(text: string): void {
  const fault = int64Fault(text);
  if (fault !== '') throw new DecodeError(fault, undefined);
}

/** How often the template has changed. */
export function templateGeneration(daemonSet: KubeObject): Int64 {
  const text = daemonSet.metadata.annotations?.[templateGenerationKey] ?? '';
  return /^[+-]?\d+$/.test(text) ? toInt64(BigInt(text.replace('+', ''))) : 0;
}

function setTemplateGeneration(daemonSet: KubeObject, generation: Int64): void {
  daemonSet.metadata.annotations = { ...daemonSet.metadata.annotations, [templateGenerationKey]: String(generation) };
}

export const daemonSetResource = defineBuiltIn({
  group: 'apps',
  resource: 'daemonsets',
  rows: daemonSetRows,
  strategy: daemonSetStrategy,
  writes: {
    generation: 'spec',
  },
  podHolder: {
    steps: ['spec', 'template'],
    isChanged: (object, old) => templateGeneration(object) !== templateGeneration(old),
  },
});
