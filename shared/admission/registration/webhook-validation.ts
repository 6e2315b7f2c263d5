import { exactlySameMembers } from '#shared/api/same-by-type.ts';
import {
  duplicate,
  invalid,
  notSupported,
  path,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, objectsAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { validateLabelSelector } from '#shared/apimachinery/selectors/validate-label-selector.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { errorsOfEach } from '#shared/apimachinery/validation/errors-of-each.ts';
import { isDNS1035Label, isDNS1123Subdomain } from '#shared/apimachinery/validation/names.ts';
import { repetitions } from '#shared/apimachinery/validation/repetitions.ts';
import { validateWebhookClient } from '#shared/apimachinery/validation/webhook-client-validation.ts';
import type { RuleCompilers } from './rule-compilers.ts';
import {
  conditionTexts,
  failurePolicies,
  knownIfSet,
  matchPolicies,
  reinvocationPolicies,
  validateMatchConditions,
  validateRule,
} from './rule-validation.ts';

const sideEffectClasses = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];
const noSideEffects = ['None', 'NoneOnDryRun'];
const reviewVersions = ['v1', 'v1beta1'];

/** Which rules an update enforces: a rule that the stored object already breaks is not enforced. */
interface Strictness {
  readonly sideEffects: readonly string[];
  readonly needsKnownReviewVersion: boolean;
  readonly needsUniqueNames: boolean;
  readonly checksSelectors: boolean;
  readonly checksConditions: boolean;
  /** Expressions of match conditions in the stored object. */
  readonly knownConditions: ReadonlySet<string>;
}

const strict: Strictness = {
  sideEffects: noSideEffects,
  needsKnownReviewVersion: true,
  needsUniqueNames: true,
  checksSelectors: true,
  checksConditions: true,
  knownConditions: new Set(),
};

/** Webhook configurations of both kinds (pkg/apis/admissionregistration/validation). */
export function* validateWebhookConfiguration(
  configuration: KubeObject,
  compilers: RuleCompilers,
  old?: KubeObject,
): Steps<FieldError[]> {
  const webhooks = objectsAt(configuration, 'webhooks');
  const rules = old ? strictnessAfter(objectsAt(old, 'webhooks'), webhooks) : strict;
  const names = webhooks.map((webhook) => stringAt(webhook, 'name'));
  const repeated = repetitions(names);
  return yield* errorsOfEach(webhooks, function* errorsOf(webhook, index) {
    const field = path('webhooks').index(index);
    const name = names[index] ?? '';
    return [
      ...(yield* validateWebhook(webhook, rules, compilers, field)),
      ...validateReviewVersions(
        stringsAt(webhook, 'admissionReviewVersions'),
        rules,
        field.child('admissionReviewVersions'),
      ),
      ...(rules.needsUniqueNames && name !== '' && repeated[index] === true
        ? [duplicate(field.child('name'), name)]
        : []),
    ];
  });
}

function strictnessAfter(old: readonly JsonObject[], webhooks: readonly JsonObject[]): Strictness {
  const names = new Set(old.map((webhook) => stringAt(webhook, 'name')));
  const sameConditions =
    old.length === webhooks.length &&
    webhooks.every((webhook, index) =>
      exactlySameMembers(
        'io.k8s.api.admissionregistration.v1.ValidatingWebhook',
        ['matchConditions'],
        webhook,
        old[index],
      ),
    );
  const known = (webhook: JsonObject): boolean => {
    const versions = stringsAt(webhook, 'admissionReviewVersions');
    return versions.length === 0 || versions.some((version) => reviewVersions.includes(version));
  };
  return {
    sideEffects: old.every((webhook) => noSideEffects.includes(stringAt(webhook, 'sideEffects')))
      ? noSideEffects
      : sideEffectClasses,
    needsKnownReviewVersion: old.every(known),
    needsUniqueNames: names.size === old.length,
    checksSelectors: old.every((webhook) => selectorErrors(webhook, path('')).length === 0),
    checksConditions: !sameConditions,
    knownConditions: conditionTexts(old.flatMap((webhook) => objectsAt(webhook, 'matchConditions'))),
  };
}

function* validateWebhook(
  webhook: JsonObject,
  rules: Strictness,
  compilers: RuleCompilers,
  field: Path,
): Steps<FieldError[]> {
  const timeout = numberAt(webhook, 'timeoutSeconds');
  return [
    ...validateName(stringAt(webhook, 'name'), field.child('name')),
    ...objectsAt(webhook, 'rules').flatMap((rule, index) => validateRule(rule, field.child('rules').index(index))),
    ...knownIfSet(webhook, 'failurePolicy', failurePolicies, field),
    ...knownIfSet(webhook, 'matchPolicy', matchPolicies, field),
    ...validateSideEffects(webhook['sideEffects'], rules.sideEffects, field.child('sideEffects')),
    ...(timeout !== undefined && (timeout > 30 || timeout < 1)
      ? [invalid(field.child('timeoutSeconds'), timeout, 'the timeout value must be between 1 and 30 seconds')]
      : []),
    ...(rules.checksSelectors ? selectorErrors(webhook, field) : []),
    ...knownIfSet(webhook, 'reinvocationPolicy', reinvocationPolicies, field),
    ...validateWebhookClient(objectAt(webhook, 'clientConfig'), field.child('clientConfig')),
    ...(rules.checksConditions
      ? yield* validateMatchConditions(
          compilers,
          objectsAt(webhook, 'matchConditions'),
          field.child('matchConditions'),
          false,
          rules.knownConditions,
        )
      : []),
  ];
}

function selectorErrors(webhook: JsonObject, field: Path): FieldError[] {
  return ['namespaceSelector', 'objectSelector'].flatMap((key) =>
    validateLabelSelector(objectAt(webhook, key), field.child(key)),
  );
}

function validateName(name: string, field: Path): FieldError[] {
  if (name === '') return [required(field, '')];
  const texts = isDNS1123Subdomain(name);
  if (texts.length > 0) return [invalid(field, name, texts.join(','))];
  return name.split('.').length < 3
    ? [invalid(field, name, 'should be a domain with at least three segments separated by dots')]
    : [];
}

function validateSideEffects(value: unknown, allowed: readonly string[], field: Path): FieldError[] {
  if (typeof value !== 'string') return [required(field, `must specify one of ${allowed.join(', ')}`)];
  return allowed.includes(value) ? [] : [notSupported(field, value, allowed)];
}

function validateReviewVersions(versions: readonly string[], rules: Strictness, field: Path): FieldError[] {
  if (versions.length === 0) return [required(field, `must specify one of ${reviewVersions.join(', ')}`)];
  const repeated = repetitions(versions);
  const errors = versions.flatMap((version, index) => {
    if (repeated[index] === true) return [invalid(field.index(index), version, 'duplicate version')];
    return isDNS1035Label(version).map((text) => invalid(field.index(index), version, text));
  });
  const known = versions.some((version) => reviewVersions.includes(version));
  return known || !rules.needsKnownReviewVersion
    ? errors
    : [...errors, invalid(field, [...versions], `must include at least one of ${reviewVersions.join(', ')}`)];
}
