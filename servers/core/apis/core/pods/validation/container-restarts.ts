import { givenOneOf } from '#servers/core/validation/field-rules.ts';
import {
  forbidden,
  notSupported,
  required,
  tooMany,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import type { PodRules } from './pod-rules.ts';

const maxRestartRules = 20;

export function validateOwnRestarts(container: JsonObject, rules: PodRules, field: Path): FieldError[] {
  if (rules.restartRules) return validateRestartPolicy(container, rules, field);
  return container['restartPolicy'] === undefined
    ? []
    : [forbidden(field.child('restartPolicy'), 'may not be set for non-init containers')];
}

/** Validates the restart policy and rules of an init container; sidecars may have rules with `restartAll` only. */
export function validateInitRestarts(container: JsonObject, rules: PodRules, field: Path): FieldError[] {
  const isSidecar = stringAt(container, 'restartPolicy') === 'Always';
  if (container['restartPolicy'] === undefined || (rules.restartRules && (rules.restartAll || !isSidecar)))
    return validateRestartPolicy(container, rules, field);
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

/** Validates the restart policy and the restart rules of a container (KEP-5307). */
function validateRestartPolicy(container: JsonObject, podRules: PodRules, field: Path): FieldError[] {
  const restartActions = podRules.restartAll ? ['Restart', 'RestartAllContainers'] : ['Restart'];
  const policy = container['restartPolicy'];
  const rules = objectsAt(container, 'restartPolicyRules');
  const missing = policy === undefined && rules.length > 0;
  const errors = missing
    ? [required(field.child('restartPolicy'), 'must specify restartPolicy when restart rules are used')]
    : givenOneOf(policy, ['Always', 'Never', 'OnFailure'], field.child('restartPolicy'));
  if (rules.length > maxRestartRules)
    errors.push(tooMany(field.child('restartPolicyRules'), rules.length, maxRestartRules));
  for (const [index, rule] of rules.entries()) {
    const at = field.child('restartPolicyRules').index(index);
    const codes = objectAt(rule, 'exitCodes');
    const action = stringAt(rule, 'action');
    if (!restartActions.includes(action)) errors.push(notSupported(at.child('action'), action, restartActions));
    if (!codes) errors.push(required(at.child('exitCodes'), 'must be specified'));
    else if (!['In', 'NotIn'].includes(stringAt(codes, 'operator')))
      errors.push(notSupported(at.child('exitCodes', 'operator'), stringAt(codes, 'operator'), ['In', 'NotIn']));
  }
  return errors;
}
