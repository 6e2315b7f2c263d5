import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { validateOverhead } from '#servers/core/apis/core/pods/validation/pod-spec.ts';
import { validateTolerations } from '#servers/core/apis/core/pods/validation/taints.ts';
import { goForm } from '#servers/core/validation/go-form.ts';
import { nodeLabelWarnings } from '#servers/core/warnings/node-labels.ts';
import { duplicate, path, required, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { labelsAt } from '#shared/apimachinery/selectors/validate-label-selector.ts';
import { atOnce, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { validateImmutableField, validateLabels } from '#shared/apimachinery/validation/meta-validation.ts';
import { nameIsDNSLabel } from '#shared/apimachinery/validation/names.ts';
import { repetitions } from '#shared/apimachinery/validation/repetitions.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { runtimeClassRows } from './rows.ts';

/** RuntimeClasses (pkg/registry/node/runtimeclass). */
const runtimeClassStrategy: Strategy = {
  *validateInSteps(runtimeClass, old) {
    const errors = yield* validateRuntimeClass(runtimeClass);
    return old === undefined
      ? errors
      : [
          ...errors,
          ...validateImmutableField(stringAt(runtimeClass, 'handler'), stringAt(old, 'handler'), path('handler')),
        ];
  },
  warningsOnCreate: selectorWarnings,
  warningsOnUpdate: selectorWarnings,
};

function selectorWarnings(runtimeClass: KubeObject): string[] {
  return nodeLabelWarnings(
    Object.keys(objectAt(runtimeClass, 'scheduling', 'nodeSelector') ?? {}),
    (text) => `scheduling.nodeSelector: ${text}`,
  );
}

function* validateRuntimeClass(runtimeClass: KubeObject): Steps<FieldError[]> {
  const handler = stringAt(runtimeClass, 'handler');
  return [
    ...(handler === ''
      ? [required(path('handler'), '')]
      : messages(nameIsDNSLabel(handler, false), path('handler'), handler)),
    ...(yield* validateOverhead(objectAt(runtimeClass, 'overhead', 'podFixed'), path('overhead'))),
    ...atOnce(validateLabels(labelsAt(runtimeClass, 'scheduling', 'nodeSelector'), path('scheduling', 'nodeSelector'))),
    ...(yield* validateTolerations(
      objectsAt(runtimeClass, 'scheduling', 'tolerations'),
      false,
      path('scheduling', 'tolerations'),
    )),
    ...validateUniqueTolerations(
      objectsAt(runtimeClass, 'scheduling', 'tolerations'),
      path('scheduling', 'tolerations'),
    ),
  ];
}

/** Refuses duplicate tolerations; `tolerationSeconds` is not compared. */
function validateUniqueTolerations(tolerations: readonly JsonObject[], field: Path): FieldError[] {
  const forms = tolerations.map((toleration) => goForm('io.k8s.api.core.v1.Toleration', toleration));
  const repeated = repetitions(forms.map((form) => JSON.stringify({ ...form, TolerationSeconds: null })));
  return forms.flatMap((form, index) => (repeated[index] === true ? [duplicate(field.index(index), form)] : []));
}

export const runtimeClassResource = defineBuiltIn({
  group: 'node.k8s.io',
  resource: 'runtimeclasses',
  rows: runtimeClassRows,
  strategy: runtimeClassStrategy,
  writes: {
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: false,
    metadataOnUpdate: 'both',
    anyFinalizers: true,
  },
});
