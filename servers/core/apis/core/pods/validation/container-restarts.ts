import {
  forbidden,
  notSupported,
  required,
  tooMany,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { listAt, objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { givenOneOf } from '#shared/apimachinery/validation/field-rules.ts';
import type { PodRules } from './pod-rules.ts';

const maxRestartRules = 20;
const maxExitCodes = 255;
const operators = ['In', 'NotIn'];

export function validateOwnRestarts(container: JsonObject, rules: PodRules, field: Path): FieldError[] {
  if (rules.restartRules) return validateRestartPolicy(container, rules, field);
  return container['restartPolicy'] === undefined
    ? []
    : [forbidden(field.child('restartPolicy'), 'may not be set for non-init containers')];
}

/** Validates the restart policy and rules of an init container; sidecars may have rules with `restartAll` only. */
export function validateInitRestarts(container: JsonObject, rules: PodRules, field: Path): FieldError[] {
  const isSidecar = stringAt(container, 'restartPolicy') === 'Always';
  if (container['restartPolicy'] === undefined) return validateMissingPolicy(container, field);
  if (rules.restartRules && (rules.restartAll || !isSidecar)) return validateRestartPolicy(container, rules, field);
  if (!rules.restartRules) return givenOneOf(container['restartPolicy'], ['Always'], field.child('restartPolicy'));
  return objectsAt(container, 'restartPolicyRules').length === 0
    ? []
    : [
        forbidden(
          field.child('restartPolicyRules'),
          'restartPolicyRules are not allowed for init containers with restart policy Always',
        ),
      ];
}

function validateMissingPolicy(container: JsonObject, field: Path): FieldError[] {
  return objectsAt(container, 'restartPolicyRules').length === 0
    ? []
    : [required(field.child('restartPolicy'), 'must specify restartPolicy when restart rules are used')];
}

/** Validates the restart policy and the restart rules of a container (KEP-5307). */
function validateRestartPolicy(container: JsonObject, podRules: PodRules, field: Path): FieldError[] {
  const restartActions = podRules.restartAll ? ['Restart', 'RestartAllContainers'] : ['Restart'];
  const policy = container['restartPolicy'];
  const rules = objectsAt(container, 'restartPolicyRules');
  const errors =
    policy === undefined
      ? validateMissingPolicy(container, field)
      : givenOneOf(policy, ['Always', 'Never', 'OnFailure'], field.child('restartPolicy'));
  if (rules.length > maxRestartRules)
    errors.push(tooMany(field.child('restartPolicyRules'), rules.length, maxRestartRules));
  for (const [index, rule] of rules.entries()) {
    const at = field.child('restartPolicyRules').index(index);
    const codes = objectAt(rule, 'exitCodes');
    const action = stringAt(rule, 'action');
    if (!restartActions.includes(action)) errors.push(notSupported(at.child('action'), action, restartActions));
    errors.push(
      ...(codes
        ? validateExitCodes(codes, at.child('exitCodes'))
        : [required(at.child('exitCodes'), 'must be specified')]),
    );
  }
  return errors;
}

function validateExitCodes(codes: JsonObject, field: Path): FieldError[] {
  const operator = stringAt(codes, 'operator');
  const { length } = listAt(codes, 'values');
  return [
    ...(operators.includes(operator) ? [] : [notSupported(field.child('operator'), operator, operators)]),
    ...(length > maxExitCodes ? [tooMany(field.child('values'), length, maxExitCodes)] : []),
  ];
}
