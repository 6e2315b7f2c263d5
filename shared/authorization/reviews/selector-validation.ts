import { forbidden, invalid, required, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { doneWith, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { isLabelValue, isQualifiedName } from '#shared/apimachinery/validation/names.ts';

/** Validates the selectors of a review's resource attributes (pkg/apis/authorization/validation). */
export function* validateSelectors(resource: JsonObject | undefined, field: Path): Steps<FieldError[]> {
  const [fields, labels] = [objectAt(resource, 'fieldSelector'), objectAt(resource, 'labelSelector')];
  const errors = yield* validateSelector(fields, field.child('fieldSelector'), validateFieldRequirement);
  for (const error of yield* validateSelector(labels, field.child('labelSelector'), validateLabelRequirement))
    errors.push(error);
  return errors;
}

function* validateSelector(
  selector: JsonObject | undefined,
  field: Path,
  validate: (requirement: JsonObject, field: Path) => Steps<FieldError[]>,
): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  if (!selector) return errors;
  const raw = stringAt(selector, 'rawSelector');
  const requirements = objectsAt(selector, 'requirements');
  if (raw !== '' && requirements.length > 0)
    errors.push(invalid(field.child('rawSelector'), raw, 'may not specified at the same time as requirements'));
  if (raw === '' && requirements.length === 0)
    errors.push(
      required(
        field.child('requirements'),
        `when ${field.toString()} is specified, requirements or rawSelector is required`,
      ),
    );
  for (const [index, requirement] of requirements.entries()) {
    for (const error of yield* validate(requirement, field.child('requirements').index(index))) errors.push(error);
    if (sliceIsOver()) yield;
  }
  return errors;
}

function validateFieldRequirement(requirement: JsonObject, field: Path): Steps<FieldError[]> {
  return doneWith([
    ...(stringAt(requirement, 'key') === '' ? [required(field.child('key'), 'must be specified')] : []),
    ...validateValues(requirement, field),
  ]);
}

function* validateLabelRequirement(requirement: JsonObject, field: Path): Steps<FieldError[]> {
  const key = stringAt(requirement, 'key');
  const errors = validateValues(requirement, field);
  for (const message of isQualifiedName(key)) errors.push(invalid(field.child('key'), key, message));
  for (const [index, value] of stringsAt(requirement, 'values').entries()) {
    for (const message of isLabelValue(value)) errors.push(invalid(field.child('values').index(index), value, message));
    if (sliceIsOver()) yield;
  }
  return errors;
}

/** Unknown operators are no error: they may come from a newer client, and such requirements are ignored. */
function validateValues(requirement: JsonObject, field: Path): FieldError[] {
  const operator = stringAt(requirement, 'operator');
  const given = stringsAt(requirement, 'values').length > 0;
  if ((operator === 'In' || operator === 'NotIn') && !given)
    return [required(field.child('values'), "must be specified when `operator` is 'In' or 'NotIn'")];
  if ((operator === 'Exists' || operator === 'DoesNotExist') && given)
    return [forbidden(field.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
  return [];
}
