import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import {
  duplicate,
  internalError,
  invalid,
  notSupported,
  required,
  tooMany,
  VerbatimValue,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { goJson } from '#shared/apimachinery/text/go-format.ts';
import { formatDuration } from '#shared/apimachinery/values/duration.ts';
import type { CompileCondition } from '#shared/authorization/webhook/condition-fault.ts';
import { readError } from '#shared/configuration/read-error.ts';
import type { AuthorizationWebhook } from './authorization-configuration.ts';

const second = 1_000_000_000n;
const longestTimeout = 30n * second;
const mostConditions = 64;

/** All errors of a webhook. */
export function* validateWebhook(
  webhook: AuthorizationWebhook,
  field: Path,
  compile: CompileCondition,
): Steps<FieldError[]> {
  return [
    ...timeoutErrors(webhook.timeout, field.child('timeout')),
    ...ttlErrors(webhook.authorizedTtl, field.child('authorizedTTL')),
    ...ttlErrors(webhook.unauthorizedTtl, field.child('unauthorizedTTL')),
    ...choiceErrors(webhook.subjectAccessReviewVersion, field.child('subjectAccessReviewVersion'), ['v1', 'v1beta1']),
    ...conditionVersionErrors(webhook, field.child('matchConditionSubjectAccessReviewVersion')),
    ...choiceErrors(webhook.failurePolicy, field.child('failurePolicy'), ['NoOpinion', 'Deny']),
    ...connectionErrors(webhook.connectionInfo, field.child('connectionInfo')),
    ...(yield* conditionErrors(webhook.matchConditions, field.child('matchConditions'), compile)),
  ];
}

function timeoutErrors(timeout: bigint, field: Path): FieldError[] {
  if (timeout === 0n) return [required(field, '')];
  if (timeout > 0n && timeout <= longestTimeout) return [];
  return [invalid(field, formatDuration(timeout), 'must be > 0s and <= 30s')];
}

function ttlErrors(ttl: bigint, field: Path): FieldError[] {
  if (ttl === 0n) return [required(field, '')];
  return ttl < 0n ? [invalid(field, formatDuration(ttl), 'must be > 0s')] : [];
}

function choiceErrors(value: string, field: Path, choices: readonly string[]): FieldError[] {
  if (value === '') return [required(field, '')];
  return choices.includes(value) ? [] : [notSupported(field, value, choices)];
}

function conditionVersionErrors(
  { matchConditionSubjectAccessReviewVersion: version, matchConditions }: AuthorizationWebhook,
  field: Path,
): FieldError[] {
  if (version !== '') return choiceErrors(version, field, ['v1']);
  return matchConditions.length > 0 ? [required(field, 'required if match conditions are specified')] : [];
}

function connectionErrors(
  { type, kubeConfigFile: file }: AuthorizationWebhook['connectionInfo'],
  field: Path,
): FieldError[] {
  const ofFile = field.child('kubeConfigFile');
  if (type === '') return [required(field.child('type'), '')];
  if (type === 'InClusterConfig')
    return file === undefined ? [] : [invalid(ofFile, file, 'can only be set when type=KubeConfigFile')];
  if (type !== 'KubeConfigFile') {
    // The reference shows its internal type here, whose keys are upper case.
    const shown = new VerbatimValue(goJson({ Type: type, KubeConfigFile: file ?? null }));
    return [notSupported(field.child('type'), shown, ['InClusterConfig', 'KubeConfigFile'])];
  }
  if (file === undefined || file === '') return [required(ofFile, '')];
  if (!isAbsolute(file)) return [invalid(ofFile, file, 'must be an absolute path')];
  try {
    return statSync(file).isFile() ? [] : [invalid(ofFile, file, 'must be a regular file')];
  } catch (error) {
    return [invalid(ofFile, file, `error loading file: ${readError(error, file)}`)];
  }
}

export function* conditionErrors(
  conditions: readonly string[],
  field: Path,
  compile: CompileCondition,
): Steps<FieldError[]> {
  if (conditions.length > mostConditions) return [tooMany(field, conditions.length, mostConditions)];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, text] of conditions.entries()) {
    const place = field.index(index).child('expression');
    if (text.trim() === '') errors.push(required(place, ''));
    else if (seen.has(text)) errors.push(duplicate(place, text));
    else {
      seen.add(text);
      const fault = yield* compile(text);
      if (fault?.isInternal === true) errors.push(internalError(place, fault.detail));
      else if (fault !== undefined) errors.push(invalid(place, text, fault.detail));
    }
  }
  return errors;
}
