import type { FieldError } from './field-error.ts';
import { forbidden, invalid, notSupported, path, required } from './field-error.ts';
import type { JsonObject } from './json.ts';
import { getKey } from './json.ts';
import { validateFieldManager } from './meta-validation.ts';
import { booleanAt, stringAt, stringsAt } from './object.ts';

/** Rules of the request options in JSON shape (apimachinery/pkg/apis/meta/v1/validation). */

const PROPAGATION_POLICIES = ['Foreground', 'Background', 'Orphan'];

export function validateDeleteOptions(options: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const policy = getKey(options, 'propagationPolicy');
  const field = path('propagationPolicy');
  if (booleanAt(options, 'orphanDependents') !== undefined && typeof policy === 'string') {
    errors.push(invalid(field, policy, 'orphanDependents and deletionPropagation cannot be both set'));
  }
  if (typeof policy === 'string' && !PROPAGATION_POLICIES.includes(policy)) {
    errors.push(notSupported(field, policy, [...PROPAGATION_POLICIES, 'nil']));
  }
  return [...errors, ...validateDryRun(stringsAt(options, 'dryRun')), ...validateIgnoreReadError(options)];
}

function validateIgnoreReadError(options: JsonObject): FieldError[] {
  const name = 'ignoreStoreReadErrorWithClusterBreakingPotential';
  if (booleanAt(options, name) !== true) return [];
  const others = ['dryRun', 'propagationPolicy', 'orphanDependents', 'gracePeriodSeconds', 'preconditions'];
  const set = others.filter((key) => {
    const value = getKey(options, key) ?? null;
    return value !== null && !(Array.isArray(value) && value.length === 0);
  });
  return set.map((key) => invalid(path(name), true, `cannot be set together with .${key}`));
}

/** Create and update options. */
export function validateWriteOptions(options: JsonObject): FieldError[] {
  return [
    ...validateFieldManager(stringAt(options, 'fieldManager'), path('fieldManager')),
    ...validateDryRun(stringsAt(options, 'dryRun')),
    ...validateFieldValidation(stringAt(options, 'fieldValidation')),
  ];
}

/** Patch options; `apply` for server-side apply, which needs a manager and alone may be forced. */
export function validatePatchOptions(options: JsonObject, apply: boolean): FieldError[] {
  const errors: FieldError[] = [];
  if (apply && stringAt(options, 'fieldManager') === '') errors.push(required(path('fieldManager'), 'is required for apply patch'));
  if (!apply && booleanAt(options, 'force') !== undefined) errors.push(forbidden(path('force'), 'may not be specified for non-apply patch'));
  return [...errors, ...validateWriteOptions(options)];
}

export function validateDryRun(values: readonly string[]): FieldError[] {
  return values.every((value) => value === 'All') ? [] : [notSupported(path('dryRun'), [...values], ['All'])];
}

function validateFieldValidation(value: string): FieldError[] {
  const valid = ['', 'Ignore', 'Strict', 'Warn'];
  return valid.includes(value) ? [] : [notSupported(path('fieldValidation'), value, valid)];
}
