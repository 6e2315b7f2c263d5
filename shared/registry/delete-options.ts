import { textOfNamedType } from '#shared/apimachinery/errors/field-error-type.ts';
import { invalid, notSupported, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { newInvalid } from '#shared/apimachinery/errors/status.ts';
import { getKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, int64At, objectAt, stringsAt } from '#shared/apimachinery/object.ts';
import type { DeleteRequest, Preconditions } from './resource-store.ts';

export const ignoreReadErrors = 'ignoreStoreReadErrorWithClusterBreakingPotential';

const policies = ['Foreground', 'Background', 'Orphan'] as const;

/**
 * What a DeleteOptions object asks for. Throws a 422 if it is invalid (apimachinery meta/v1/validation,
 * ValidateDeleteOptions).
 */
export function readDeleteOptions(options: JsonObject): DeleteRequest {
  const policy = options['propagationPolicy'] as string | undefined;
  const orphan = booleanAt(options, 'orphanDependents');
  const errors = [
    ...validatePolicy(policy, orphan),
    ...validateDryRun(stringsAt(options, 'dryRun')),
    ...validateIgnored(options),
  ];
  if (errors.length > 0) throw newInvalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  const seconds = int64At(options, 'gracePeriodSeconds');
  const preconditions = preconditionsOf(options);
  return {
    ...(seconds === undefined ? {} : { gracePeriodSeconds: seconds }),
    ...(preconditions === undefined ? {} : { preconditions }),
    ...(policy === undefined ? {} : { propagationPolicy: policy as (typeof policies)[number] }),
    ...(orphan === undefined ? {} : { orphanDependents: orphan }),
  };
}

export function preconditionsOf(options: JsonObject | undefined): Preconditions | undefined {
  const preconditions = objectAt(options, 'preconditions');
  if (preconditions === undefined) return undefined;
  const { uid, resourceVersion } = preconditions;
  return {
    ...(typeof uid === 'string' ? { uid } : {}),
    ...(typeof resourceVersion === 'string' ? { resourceVersion } : {}),
  };
}

function validatePolicy(policy: string | undefined, orphan: boolean | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const field = path('propagationPolicy');
  if (policy === undefined) return errors;
  if (orphan !== undefined)
    errors.push(invalid(field, textOfNamedType(policy), 'orphanDependents and deletionPropagation cannot be both set'));
  if (!(policies as readonly string[]).includes(policy))
    errors.push(notSupported(field, textOfNamedType(policy), [...policies, 'nil']));
  return errors;
}

/** An object that is removed unread goes at once and alone. */
function validateIgnored(options: JsonObject): FieldError[] {
  if (options[ignoreReadErrors] !== true) return [];
  const field = path(ignoreReadErrors);
  const present = [
    ...(stringsAt(options, 'dryRun').length > 0 ? ['dryRun'] : []),
    ...['propagationPolicy', 'orphanDependents', 'gracePeriodSeconds', 'preconditions'].filter(
      (name) => getKey(options, name) !== undefined,
    ),
  ];
  return present.map((name) => invalid(field, true, `cannot be set together with .${name}`));
}

/** Validates the `dryRun` of any options. */
export function validateDryRun(dryRun: readonly string[]): FieldError[] {
  return dryRun.every((value) => value === 'All') ? [] : [notSupported(path('dryRun'), [...dryRun], ['All'])];
}
