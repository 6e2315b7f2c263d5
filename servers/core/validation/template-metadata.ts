import { forbidden, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectAt } from '#shared/apimachinery/object.ts';
import { labelsAt } from '#shared/apimachinery/selectors/validate-label-selector.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { validateAnnotations, validateLabels } from '#shared/apimachinery/validation/meta-validation.ts';

/**
 * Validates the metadata of a template, which may have only labels and annotations (pkg/apis/core/validation,
 * ValidateTemplateObjectMeta).
 */
export function validateTemplateMetadata(template: JsonObject, field: Path): FieldError[] {
  const metadata = objectAt(template, 'metadata') ?? {};
  return [
    ...atOnce(validateAnnotations(labelsAt(metadata, 'annotations'), field.child('annotations'))),
    ...atOnce(validateLabels(labelsAt(metadata, 'labels'), field.child('labels'))),
    ...inGoOrder
      .filter((name) => !isUnset(name, metadata[name]))
      .map((name) => forbidden(field.child(goPath(name)), 'cannot be set')),
  ];
}

/** The fields of ObjectMeta besides labels and annotations, in the order of its declaration. */
const inGoOrder = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'finalizers',
  'managedFields',
] as const;

/** The field in error texts: Go's name with its first letter in lower case. */
function goPath(name: string): string {
  return name === 'uid' ? 'uID' : name;
}

/** Whether a field has Go's zero value. An empty list is not one, nor is a grace period of zero, which is a pointer. */
function isUnset(name: string, value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '' || (name === 'generation' && value === 0);
}
