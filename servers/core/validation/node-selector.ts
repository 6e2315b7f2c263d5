import { forbidden, invalid, required, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isLabelValue, isQualifiedName, nameIsDNSSubdomain } from '#shared/apimachinery/validation/names.ts';

/** Validates a NodeSelector. With `checksValues`, the values of its expressions must be valid label values. */
export function validateNodeSelector(selector: JsonObject, checksValues: boolean, field: Path): FieldError[] {
  const terms = objectsAt(selector, 'nodeSelectorTerms');
  const at = field.child('nodeSelectorTerms');
  if (terms.length === 0) return [required(at, 'must have at least one node selector term')];
  return terms.flatMap((term, index) => validateNodeSelectorTerm(term, checksValues, at.index(index)));
}

export function validateNodeSelectorTerm(term: JsonObject, checksValues: boolean, field: Path): FieldError[] {
  return [
    ...objectsAt(term, 'matchExpressions').flatMap((item, index) =>
      validateExpression(item, checksValues, field.child('matchExpressions').index(index)),
    ),
    ...objectsAt(term, 'matchFields').flatMap((item, index) =>
      validateFieldMatch(item, field.child('matchFields').index(index)),
    ),
  ];
}

function validateExpression(item: JsonObject, checksValues: boolean, field: Path): FieldError[] {
  const [operator, key, values] = [stringAt(item, 'operator'), stringAt(item, 'key'), stringsAt(item, 'values')];
  const errors = [
    ...validateOperator(operator, values.length, field),
    ...messages(isQualifiedName(key), field.child('key'), key),
  ];
  return checksValues
    ? [
        ...errors,
        ...values.flatMap((value, index) => messages(isLabelValue(value), field.child('values').index(index), value)),
      ]
    : errors;
}

function validateOperator(operator: string, values: number, field: Path): FieldError[] {
  const at = field.child('values');
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values > 0 ? [] : [required(at, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return values === 0 ? [] : [forbidden(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case 'Gt':
    case 'Lt':
      return values === 1 ? [] : [required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalid(field.child('operator'), operator, 'not a valid selector operator')];
  }
}

function validateFieldMatch(item: JsonObject, field: Path): FieldError[] {
  const [operator, key, values] = [stringAt(item, 'operator'), stringAt(item, 'key'), stringsAt(item, 'values')];
  const errors: FieldError[] = [];
  if (operator !== 'In' && operator !== 'NotIn')
    errors.push(invalid(field.child('operator'), operator, 'not a valid selector operator'));
  else if (values.length !== 1)
    errors.push(
      required(
        field.child('values'),
        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
      ),
    );
  if (key !== 'metadata.name') return [...errors, invalid(field.child('key'), key, 'not a valid field selector key')];
  return [
    ...errors,
    ...values.flatMap((value, index) =>
      messages(nameIsDNSSubdomain(value, false), field.child('values').index(index), value),
    ),
  ];
}
