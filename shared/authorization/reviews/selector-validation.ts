import { forbidden, invalid, required, type FieldError, type Path } from '../../apimachinery/field-error.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { isLabelValue, isQualifiedName } from '../../apimachinery/names.ts';
import { objectAt, objectsAt, stringAt, stringsAt } from '../../apimachinery/object.ts';

/** The selectors of a review's resource attributes (pkg/apis/authorization/validation). */
export function validateSelectors(resource: JsonObject | undefined, field: Path): FieldError[] {
  return [
    ...validateSelector(objectAt(resource, 'fieldSelector'), field.child('fieldSelector'), validateFieldRequirement),
    ...validateSelector(objectAt(resource, 'labelSelector'), field.child('labelSelector'), validateLabelRequirement),
  ];
}

function validateSelector(
  selector: JsonObject | undefined,
  field: Path,
  validate: (requirement: JsonObject, field: Path) => FieldError[],
): FieldError[] {
  if (!selector) return [];
  const raw = stringAt(selector, 'rawSelector');
  const requirements = objectsAt(selector, 'requirements');
  return [
    ...(raw !== '' && requirements.length > 0
      ? [invalid(field.child('rawSelector'), raw, 'may not specified at the same time as requirements')]
      : []),
    ...(raw === '' && requirements.length === 0
      ? [
          required(
            field.child('requirements'),
            `when ${field.toString()} is specified, requirements or rawSelector is required`,
          ),
        ]
      : []),
    ...requirements.flatMap((requirement, index) => validate(requirement, field.child('requirements').index(index))),
  ];
}

function validateFieldRequirement(requirement: JsonObject, field: Path): FieldError[] {
  return [
    ...(stringAt(requirement, 'key') === '' ? [required(field.child('key'), 'must be specified')] : []),
    ...validateValues(requirement, field),
  ];
}

function validateLabelRequirement(requirement: JsonObject, field: Path): FieldError[] {
  const key = stringAt(requirement, 'key');
  return [
    ...validateValues(requirement, field),
    ...isQualifiedName(key).map((message) => invalid(field.child('key'), key, message)),
    ...stringsAt(requirement, 'values').flatMap((value, index) =>
      isLabelValue(value).map((message) => invalid(field.child('values').index(index), value, message)),
    ),
  ];
}

/** Operators that are not known are those of a newer client: they are left out of the question. */
function validateValues(requirement: JsonObject, field: Path): FieldError[] {
  const operator = stringAt(requirement, 'operator');
  const given = stringsAt(requirement, 'values').length > 0;
  if ((operator === 'In' || operator === 'NotIn') && !given)
    return [required(field.child('values'), "must be specified when `operator` is 'In' or 'NotIn'")];
  if ((operator === 'Exists' || operator === 'DoesNotExist') && given)
    return [forbidden(field.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
  return [];
}
