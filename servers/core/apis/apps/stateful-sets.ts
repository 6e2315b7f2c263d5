import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import { applyPodTemplateDefaults } from '#servers/core/apis/core/pods/pod-spec-defaults.ts';
import { applyClaimDefaults } from '#servers/core/apis/core/volumes/claim-defaults.ts';
import { claimSpecWarnings } from '#servers/core/apis/core/volumes/warnings/claim-specs.ts';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import { numberAt, objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject, setDefault, setDefaultText } from '#shared/apimachinery/set-default.ts';
import { nameIsDNSLabel } from '#shared/apimachinery/validation/names.ts';
import { scaleView } from '#shared/registry/scale-view.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { oldStatefulSetDefaults } from './old-versions.ts';
import { statefulSetRows } from './rows.ts';
import { validateStatefulSet, validateStatefulSetUpdate } from './stateful-set-validation.ts';
import { validateStatefulSetStatus } from './status-validation.ts';

/** StatefulSets (pkg/registry/apps/statefulset). */
const statefulSetStrategy = (dependencies: StrategyDependencies): Strategy => ({
  validateName: nameIsDNSLabel,
  oldVersionDefaults: oldStatefulSetDefaults,
  applyDefaults(statefulSet) {
    const spec = ensureObject(statefulSet, 'spec');
    setDefaultText(spec, 'podManagementPolicy', 'OrderedReady');
    const update = ensureObject(spec, 'updateStrategy');
    if (stringAt(update, 'type') === '') {
      update['type'] = 'RollingUpdate';
      ensureObject(update, 'rollingUpdate');
    }
    const rolling = objectAt(update, 'rollingUpdate');
    if (stringAt(update, 'type') === 'RollingUpdate' && rolling) {
      setDefault(rolling, 'partition', 0);
      if (dependencies.gates.MaxUnavailableStatefulSet) setDefault(rolling, 'maxUnavailable', 1);
    }
    const retention = ensureObject(spec, 'persistentVolumeClaimRetentionPolicy');
    setDefaultText(retention, 'whenDeleted', 'Retain');
    setDefaultText(retention, 'whenScaled', 'Retain');
    setDefault(spec, 'replicas', 1);
    setDefault(spec, 'revisionHistoryLimit', 10);
    applyPodTemplateDefaults(ensureObject(spec, 'template'), dependencies.gates);
    for (const claim of objectsAt(spec, 'volumeClaimTemplates')) {
      // The reference's converter sets both fields, whatever the client sent.
      claim['apiVersion'] = 'v1';
      claim['kind'] = 'PersistentVolumeClaim';
      applyClaimDefaults(claim);
    }
  },
  validateInSteps: (statefulSet, old) =>
    old === undefined
      ? validateStatefulSet(statefulSet, dependencies)
      : validateStatefulSetUpdate(statefulSet, dependencies, old),
  warningsOnCreate: (statefulSet) => warnings(statefulSet, false),
  warningsOnUpdate: (statefulSet) => warnings(statefulSet, true),
  validateStatusUpdate: validateStatefulSetStatus,
});

/** As in the reference, the paths of claim warnings differ between updates and creations. */
function warnings(statefulSet: KubeObject, isUpdate: boolean): string[] {
  const field = path('spec', 'volumeClaimTemplates');
  const claims = objectsAt(statefulSet, 'spec', 'volumeClaimTemplates').flatMap((claim, index) =>
    claimSpecWarnings(objectAt(claim, 'spec'), isUpdate ? field.index(index).child('Spec') : field.index(index)),
  );
  const keepsAll = (numberAt(statefulSet, 'spec', 'revisionHistoryLimit') ?? 0) < 0;
  return [
    ...claims,
    ...(keepsAll
      ? ['spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended']
      : []),
  ];
}

export const statefulSetResource = defineBuiltIn({
  group: 'apps',
  resource: 'statefulsets',
  rows: statefulSetRows,
  strategy: statefulSetStrategy,
  writes: {
    generation: 'spec',
  },
  gatedFields: [{ gates: ['MaxUnavailableStatefulSet'], fields: ['spec.updateStrategy.rollingUpdate.maxUnavailable'] }],
  podHolder: { steps: ['spec', 'template'] },
  subresources: () => ({ scale: { view: scaleView({ group: 'apps', resource: 'statefulsets' }) } }),
});
