import { forbidden, invalid, required, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, stringMapAt, stringsAt } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { validateLabels } from '#shared/apimachinery/validation/meta-validation.ts';
import { isLabelValue, isQualifiedName } from '#shared/apimachinery/validation/names.ts';
import { labelSelectorAsSelector, matchesLabels, selectsEverything } from './labels.ts';

/** Validates a LabelSelector (apimachinery/pkg/apis/meta/v1/validation). */
export function validateLabelSelector(selector: JsonObject | undefined, field: Path): FieldError[] {
  if (!selector) return [];
  return [
    ...atOnce(validateLabels(labelsAt(selector, 'matchLabels'), field.child('matchLabels'))),
    ...objectsAt(selector, 'matchExpressions').flatMap((item, index) =>
      validateRequirement(item, field.child('matchExpressions').index(index)),
    ),
  ];
}

function validateRequirement(item: JsonObject, field: Path): FieldError[] {
  const key = stringAt(item, 'key');
  const values = stringsAt(item, 'values');
  return [
    ...validateOperator(stringAt(item, 'operator'), values, field),
    ...messages(isQualifiedName(key), field.child('key'), key),
    ...values.flatMap((value, index) => messages(isLabelValue(value), field.child('values').index(index), value)),
  ];
}

function validateOperator(operator: string, values: readonly string[], field: Path): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0
        ? []
        : [required(field.child('values'), "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
        ? []
        : [forbidden(field.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [invalid(field.child('operator'), operator, 'not a valid selector operator')];
  }
}

/** Whether the selector matches the labels; undefined if the selector cannot be parsed. */
export function selects(selector: JsonObject | undefined, labels: JsonObject | undefined): boolean | undefined {
  try {
    const parsed = labelSelectorAsSelector(selector);
    return matchesLabels(parsed, Object.fromEntries(stringMapAt(labels)));
  } catch {
    return undefined;
  }
}

/** Whether the selector matches all labels. */
export function selectsAll(selector: JsonObject | undefined): boolean {
  try {
    return selectsEverything(labelSelectorAsSelector(selector));
  } catch {
    return false;
  }
}

export function labelsAt(
  object: JsonObject | undefined,
  ...path: readonly string[]
): Record<string, string> | undefined {
  return objectAt(object, ...path) as Record<string, string> | undefined;
}

/** Labels or a selector as the reference prints them: keys sorted, empty members of the selector left out. */
export function printable(value: JsonObject | undefined): JsonObject | null {
  if (!value) return null;
  const { matchLabels, matchExpressions, ...rest } = value;
  if (!isObject(matchLabels) && !Array.isArray(matchExpressions))
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => compareUtf8(a, b)));
  return {
    ...(isObject(matchLabels) && Object.keys(matchLabels).length > 0 ? { matchLabels: printable(matchLabels) } : {}),
    ...(Array.isArray(matchExpressions) && matchExpressions.length > 0
      ? { matchExpressions: matchExpressions.map(printableRequirement) }
      : {}),
    ...rest,
  };
}

function printableRequirement(requirement: JsonValue): JsonObject {
  const values =
    isObject(requirement) && Array.isArray(requirement['values']) && requirement['values'].length > 0
      ? { values: requirement['values'] }
      : {};
  return {
    key: isObject(requirement) ? (requirement['key'] ?? '') : '',
    operator: isObject(requirement) ? (requirement['operator'] ?? '') : '',
    ...values,
  };
}
