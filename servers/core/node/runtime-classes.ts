import { path, required, type FieldError } from '../../../shared/apimachinery/field-error.ts';
import { validateImmutableField, validateLabels } from '../../../shared/apimachinery/meta-validation.ts';
import { nameIsDNSLabel } from '../../../shared/apimachinery/names.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';
import { messages } from '../validation/field-rules.ts';
import { labelsAt } from '../validation/label-selector.ts';
import { validateOverhead } from '../validation/pod-spec.ts';
import { validateTolerations } from '../validation/scheduling.ts';

/** RuntimeClasses (pkg/registry/node/runtimeclass). */
export const runtimeClassStrategy: Strategy = {
  validate: (_context, runtimeClass) => validateRuntimeClass(runtimeClass),
  validateUpdate: (_context, runtimeClass, old) => [...validateRuntimeClass(runtimeClass), ...validateImmutableField(runtimeClass['handler'], old['handler'], path('handler'))],
};

function validateRuntimeClass(runtimeClass: KubeObject): FieldError[] {
  const handler = stringAt(runtimeClass, 'handler');
  return [
    ...(handler === '' ? [required(path('handler'), '')] : messages(nameIsDNSLabel(handler, false), path('handler'), handler)),
    ...validateOverhead(objectAt(runtimeClass, 'overhead', 'podFixed'), path('overhead')),
    ...validateLabels(labelsAt(runtimeClass, 'scheduling', 'nodeSelector'), path('scheduling', 'nodeSelector')),
    ...validateTolerations(objectsAt(runtimeClass, 'scheduling', 'tolerations'), path('scheduling', 'tolerations')),
  ];
}
