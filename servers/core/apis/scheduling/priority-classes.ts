import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { systemPriorityClasses } from '#shared/api/bootstrap-objects.ts';
import { forbidden, path, required, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { newForbidden } from '#shared/apimachinery/errors/status.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, numberAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { setDefault } from '#shared/apimachinery/set-default.ts';
import { oneOf } from '#shared/apimachinery/validation/field-rules.ts';
import { validateImmutableField } from '#shared/apimachinery/validation/meta-validation.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { priorityClassRows } from './rows.ts';

const resource = { group: 'scheduling.k8s.io', resource: 'priorityclasses' };
const systemPrefix = 'system-';
/** Higher priorities are reserved for system classes. */
const highestUserPriority = 1_000_000_000;

/** PriorityClasses (pkg/registry/scheduling/priorityclass). */
const priorityClassStrategy: Strategy = {
  applyDefaults: (priorityClass) => setDefault(priorityClass, 'preemptionPolicy', 'PreemptLowerPriority'),
  validate: validatePriorityClass,
  validateUpdate: (priorityClass, old) => [
    ...(numberAt(priorityClass, 'value') === numberAt(old, 'value')
      ? []
      : [forbidden(path('value'), 'may not be changed in an update.')]),
    ...validateImmutableField(priorityClass['preemptionPolicy'], old['preemptionPolicy'], path('preemptionPolicy')),
  ],
  checkDeletion(name) {
    if (systemClass(name) !== undefined)
      throw newForbidden(resource, name, 'this is a system priority class and cannot be deleted');
  },
};

function validatePriorityClass(priorityClass: KubeObject): FieldError[] {
  const given = stringAt(priorityClass, 'preemptionPolicy');
  const policy =
    given === ''
      ? [required(path('preemptionPolicy'), '')]
      : oneOf(given, ['PreemptLowerPriority', 'Never'], path('preemptionPolicy'));
  const name = priorityClass.metadata.name ?? '';
  if (name.startsWith(systemPrefix)) {
    const error = systemClassError(priorityClass, name);
    if (error !== '')
      policy.unshift(
        forbidden(
          path('metadata', 'name'),
          `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${error}`,
        ),
      );
  } else if ((numberAt(priorityClass, 'value') ?? 0) > highestUserPriority) {
    policy.unshift(
      forbidden(path('value'), `maximum allowed value of a user defined priority is ${highestUserPriority}`),
    );
  }
  return policy;
}

function systemClass(name: string): JsonObject | undefined {
  return systemPriorityClasses().find((item) => stringAt(item, 'metadata', 'name') === name);
}

/** The error for a system class that differs from the ones that the server creates. */
function systemClassError(priorityClass: KubeObject, name: string): string {
  const known = systemClass(name);
  if (!known) return `${name} is not a known system priority class`;
  if (numberAt(known, 'value') !== (numberAt(priorityClass, 'value') ?? 0))
    return `value of ${name} PriorityClass must be ${numberAt(known, 'value') ?? 0}`;
  return booleanAt(priorityClass, 'globalDefault') === true
    ? `globalDefault of ${name} PriorityClass must be false`
    : '';
}

export const priorityClassResource = defineBuiltIn({
  ...resource,
  rows: priorityClassRows,
  strategy: priorityClassStrategy,
  writes: {
    generation: 'first',
  },
});
