import {
  hasCondition,
  findCondition,
  removeCondition,
  setCondition,
  type Condition,
} from '#servers/extensions/crds/conditions.ts';
import { validateStructural } from '#servers/extensions/schema/validate-structural.ts';
import { aggregateText, invalid, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { booleanAt, objectAt, objectsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import type { DefinitionStep } from './definition-step.ts';

/**
 * Sets the condition NonStructuralSchema (apiextensions-apiserver/pkg/controller/nonstructuralschema). Only older
 * definitions with `preserveUnknownFields: true` are checked: a definition that prunes unknown fields was never
 * accepted with a non-structural schema.
 */
export const nonStructuralStep: DefinitionStep = (object, _others, nowMs) => {
  const errors = booleanAt(object, 'spec', 'preserveUnknownFields') === true ? violations(object) : [];
  if (errors.length === 0) {
    if (findCondition(object, 'NonStructuralSchema') !== undefined) removeCondition(object, 'NonStructuralSchema');
    return;
  }
  const condition: Condition = {
    type: 'NonStructuralSchema',
    status: 'True',
    reason: 'Violations',
    message: aggregateText(errors),
  };
  if (!hasCondition(object, condition)) setCondition(object, condition, nowMs);
};

function violations(object: KubeObject): FieldError[] {
  const errors: FieldError[] = [invalid(path('spec', 'preserveUnknownFields'), true, 'must be false')];
  objectsAt(object, 'spec', 'versions').forEach((version, index) => {
    const schema = objectAt(version, 'schema', 'openAPIV3Schema');
    if (schema !== undefined)
      errors.push(
        ...atOnce(validateStructural(schema, path('spec', 'versions').index(index).child('schema', 'openAPIV3Schema'))),
      );
  });
  return errors;
}
