import {
  duplicate,
  invalid,
  notSupported,
  required,
  tooMany,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { listAt, numberAt, objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { messages, optionalOneOf } from '#shared/apimachinery/validation/field-rules.ts';
import { isQualifiedName } from '#shared/apimachinery/validation/names.ts';

const maxRules = 20;
const maxExitCodes = 255;
const maxConditions = 20;

export function validateFailurePolicy(spec: JsonObject, field: Path): FieldError[] {
  const rules = objectsAt(spec, 'podFailurePolicy', 'rules');
  const containers = new Set(
    ['containers', 'initContainers']
      .flatMap((list) => objectsAt(spec, 'template', 'spec', list))
      .map((container) => stringAt(container, 'name')),
  );
  return [
    ...(rules.length > maxRules ? [tooMany(field.child('rules'), rules.length, maxRules)] : []),
    ...rules.flatMap((rule, index) => validateFailureRule(rule, spec, containers, field.child('rules').index(index))),
  ];
}

function validateFailureRule(
  rule: JsonObject,
  spec: JsonObject,
  containers: ReadonlySet<string>,
  field: Path,
): FieldError[] {
  const [action, codes, conditions] = [
    stringAt(rule, 'action'),
    objectAt(rule, 'onExitCodes'),
    objectsAt(rule, 'onPodConditions'),
  ];
  const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
  const errors: FieldError[] = [];
  if (action === '') errors.push(required(field.child('action'), `valid values: ${goStrings(actions)}`));
  else if (action === 'FailIndex' && numberAt(spec, 'backoffLimitPerIndex') === undefined)
    errors.push(invalid(field.child('action'), action, 'requires the backoffLimitPerIndex to be set'));
  else if (!actions.includes(action)) errors.push(notSupported(field.child('action'), action, actions));
  if (codes) errors.push(...validateExitCodes(codes, containers, field.child('onExitCodes')));
  if (conditions.length > maxConditions)
    errors.push(tooMany(field.child('onPodConditions'), conditions.length, maxConditions));
  errors.push(
    ...conditions.flatMap((pattern, index) => validatePattern(pattern, field.child('onPodConditions').index(index))),
  );
  if (codes && conditions.length > 0)
    errors.push(invalid(field, undefined, 'specifying both OnExitCodes and OnPodConditions is not supported'));
  if (!codes && conditions.length === 0)
    errors.push(invalid(field, undefined, 'specifying one of OnExitCodes and OnPodConditions is required'));
  return errors;
}

function validatePattern(pattern: JsonObject, field: Path): FieldError[] {
  const [type, status] = [stringAt(pattern, 'type'), stringAt(pattern, 'status')];
  const known = ['False', 'True', 'Unknown'];
  const statusErrors =
    status === ''
      ? [required(field.child('status'), `valid values: ${goStrings(known)}`)]
      : optionalOneOf(status, known, field.child('status'));
  return [...messages(isQualifiedName(type), field.child('type'), type), ...statusErrors];
}

function validateExitCodes(codes: JsonObject, containers: ReadonlySet<string>, field: Path): FieldError[] {
  const [operator, name, values] = [
    stringAt(codes, 'operator'),
    codes['containerName'],
    listAt(codes, 'values').map(Number),
  ];
  const operators = ['In', 'NotIn'];
  const at = field.child('values');
  const errors: FieldError[] =
    operator === ''
      ? [required(field.child('operator'), `valid values: ${goStrings(operators)}`)]
      : optionalOneOf(operator, operators, field.child('operator'));
  if (typeof name === 'string' && !containers.has(name))
    errors.push(
      invalid(
        field.child('containerName'),
        name,
        'must be one of the container or initContainer names in the pod template',
      ),
    );
  if (values.length === 0)
    errors.push(invalid(at, Array.isArray(codes['values']) ? [] : null, 'at least one value is required'));
  else if (values.length > maxExitCodes) errors.push(tooMany(at, values.length, maxExitCodes));
  const seen = new Set<number>();
  for (const [index, value] of values.entries()) {
    if (operator === 'In' && value === 0)
      errors.push(invalid(at.index(index), value, 'must not be 0 for the In operator'));
    if (seen.has(value)) errors.push(duplicate(at.index(index), value));
    seen.add(value);
  }
  if (values.some((value, index) => index > 0 && (values[index - 1] ?? 0) > value))
    errors.push(invalid(at, values, 'must be ordered'));
  return errors;
}

function goStrings(values: readonly string[]): string {
  return `[${values.map((value) => goQuote(value)).join(' ')}]`;
}
