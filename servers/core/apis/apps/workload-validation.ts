import { validatePodTemplate } from '#servers/core/apis/core/pods/validation/pods.ts';
import type { RuleOptions } from '#servers/core/gates/rule-options.ts';
import { goForm } from '#servers/core/validation/go-form.ts';
import {
  amountOrPercent,
  validateAmountOrPercent,
  validateAtMost100Percent,
} from '#servers/core/validation/int-or-percent.ts';
import {
  forbidden,
  invalid,
  notSupported,
  path,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, objectsAt, stringAt, stringMapAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { matchesLabels, selectorFromSet } from '#shared/apimachinery/selectors/labels.ts';
import {
  printable,
  selects,
  selectsAll,
  validateLabelSelector,
} from '#shared/apimachinery/selectors/validate-label-selector.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { nonNegativeFields } from '#shared/apimachinery/validation/field-rules.ts';
import { validateImmutableField } from '#shared/apimachinery/validation/meta-validation.ts';
import { rollbackRevision } from './annotated-integers.ts';

// Workloads (pkg/apis/apps/validation).

export const workloadSpecField = path('spec');

export function specOf(object: KubeObject): JsonObject {
  return objectAt(object, 'spec') ?? {};
}

/** Validates selector and template: the selector must match the template's labels. Errors name `kind`. */
export function* validateSelection(
  spec: JsonObject,
  old: KubeObject | undefined,
  options: RuleOptions,
  kind: string,
  emptyKind: string,
): Steps<FieldError[]> {
  const selector = objectAt(spec, 'selector');
  const field = workloadSpecField.child('selector');
  // For a DaemonSet without a selector the only error is that it does not select its pods.
  const errors = selector ? validateLabelSelector(selector, field) : kind === 'DaemonSet' ? [] : [required(field, '')];
  const isEmpty =
    selector !== undefined &&
    Object.keys(objectAt(selector, 'matchLabels') ?? {}).length === 0 &&
    objectsAt(selector, 'matchExpressions').length === 0;
  if (isEmpty) errors.push(invalid(field, {}, `empty selector is invalid for ${emptyKind}`));
  const labels = objectAt(spec, 'template', 'metadata', 'labels');
  const matches = selector ? selects(selector, labels) : false;
  const at = workloadSpecField.child('template');
  // With an invalid selector, a StatefulSet gets only the rules for the lifetime of its pods; a DaemonSet's template is
  // validated as usual, without another error for the selector.
  if (matches === undefined && kind === 'StatefulSet')
    return [
      ...errors,
      invalid(field, printable(selector), ''),
      ...validateLifetime(objectAt(spec, 'template'), kind, at),
    ];
  if (matches === undefined && kind !== 'DaemonSet')
    return [...errors, invalid(field, printable(selector), 'invalid label selector')];
  // A selector that selects everything has been refused above.
  const differs = matches === false && !(selector !== undefined && selectsAll(selector));
  return [
    ...errors,
    ...(differs
      ? [invalid(at.child('metadata', 'labels'), printable(labels), '`selector` does not match template `labels`')]
      : []),
    ...(yield* validateWorkloadTemplate(
      objectAt(spec, 'template'),
      objectAt(old, 'spec', 'template'),
      options,
      kind,
      at,
    )),
  ];
}

export function* validateWorkloadTemplate(
  template: JsonObject | undefined,
  old: JsonObject | undefined,
  options: RuleOptions,
  kind: string,
  field: Path,
): Steps<FieldError[]> {
  return [...(yield* validatePodTemplate(template, old, options, field)), ...validateLifetime(template, kind, field)];
}

/** The pods must restart always and have no deadline: these workloads run until they are deleted. */
function validateLifetime(template: JsonObject | undefined, kind: string, field: Path): FieldError[] {
  const policy = stringAt(template, 'spec', 'restartPolicy');
  const deadline = objectAt(template, 'spec')?.['activeDeadlineSeconds'];
  return [
    ...(policy === 'Always' ? [] : [notSupported(field.child('spec', 'restartPolicy'), policy, ['Always'])]),
    ...(deadline === undefined
      ? []
      : [forbidden(field.child('spec', 'activeDeadlineSeconds'), `activeDeadlineSeconds in ${kind} is not Supported`)]),
  ];
}

export function* validateDeployment(
  deployment: KubeObject,
  options: RuleOptions,
  old?: KubeObject,
): Steps<FieldError[]> {
  const spec = specOf(deployment);
  const errors = [
    ...nonNegativeFields(spec, ['replicas'], workloadSpecField),
    ...(yield* validateSelection(spec, old, options, 'ReplicaSet', 'deployment')),
    ...validateStrategy(objectAt(spec, 'strategy') ?? {}, workloadSpecField.child('strategy')),
    ...nonNegativeFields(spec, ['minReadySeconds', 'revisionHistoryLimit'], workloadSpecField),
    ...validateRollback(deployment),
    ...nonNegativeFields(spec, ['progressDeadlineSeconds'], workloadSpecField),
  ];
  const deadline = numberAt(spec, 'progressDeadlineSeconds');
  const deadlineTooShort = deadline !== undefined && deadline <= (numberAt(spec, 'minReadySeconds') ?? 0);
  return deadlineTooShort
    ? [
        ...errors,
        invalid(workloadSpecField.child('progressDeadlineSeconds'), deadline, 'must be greater than minReadySeconds'),
      ]
    : errors;
}

function validateRollback(deployment: KubeObject): FieldError[] {
  const revision = rollbackRevision(deployment);
  return revision === undefined || revision >= 0n
    ? []
    : [invalid(workloadSpecField.child('rollback', 'version'), revision, 'must be greater than or equal to 0')];
}

function validateStrategy(strategy: JsonObject, field: Path): FieldError[] {
  const type = stringAt(strategy, 'type');
  const rolling = objectAt(strategy, 'rollingUpdate');
  const at = field.child('rollingUpdate');
  if (type === 'Recreate')
    return rolling ? [forbidden(at, "may not be specified when strategy `type` is 'Recreate'")] : [];
  if (type !== 'RollingUpdate')
    return [
      notSupported(field, goForm('io.k8s.api.apps.v1.DeploymentStrategy', strategy), ['Recreate', 'RollingUpdate']),
    ];
  const [unavailable, surge] = [rolling?.['maxUnavailable'], rolling?.['maxSurge']];
  const stuck = amountOrPercent(unavailable) === 0 && amountOrPercent(surge) === 0;
  return [
    ...validateAmountOrPercent(unavailable, at.child('maxUnavailable')),
    ...validateAmountOrPercent(surge, at.child('maxSurge')),
    ...(stuck ? [invalid(at.child('maxUnavailable'), unavailable ?? 0, 'may not be 0 when `maxSurge` is 0')] : []),
    ...validateAtMost100Percent(unavailable, at.child('maxUnavailable')),
  ];
}

function selectorKept(object: KubeObject, old: KubeObject): FieldError[] {
  const [now, before] = [objectAt(object, 'spec', 'selector'), objectAt(old, 'spec', 'selector')];
  return validateImmutableField(printable(now), printable(before), workloadSpecField.child('selector'));
}

export function* validateDeploymentUpdate(
  deployment: KubeObject,
  options: RuleOptions,
  old: KubeObject,
): Steps<FieldError[]> {
  return [...(yield* validateDeployment(deployment, options, old)), ...selectorKept(deployment, old)];
}

export function* validateReplicaSet(
  replicaSet: KubeObject,
  options: RuleOptions,
  old?: KubeObject,
): Steps<FieldError[]> {
  return [
    ...nonNegativeFields(specOf(replicaSet), ['replicas', 'minReadySeconds'], workloadSpecField),
    ...(yield* validateSelection(specOf(replicaSet), old, options, 'ReplicaSet', 'deployment')),
  ];
}

export function* validateReplicaSetUpdate(
  replicaSet: KubeObject,
  options: RuleOptions,
  old: KubeObject,
): Steps<FieldError[]> {
  return [...(yield* validateReplicaSet(replicaSet, options, old)), ...selectorKept(replicaSet, old)];
}

export function* validateDaemonSet(daemonSet: KubeObject, options: RuleOptions, old?: KubeObject): Steps<FieldError[]> {
  const spec = specOf(daemonSet);
  return [
    ...(yield* validateSelection(spec, old, options, 'DaemonSet', 'daemonset')),
    ...nonNegativeFields(spec, ['minReadySeconds'], workloadSpecField),
    ...validateDaemonSetStrategy(objectAt(spec, 'updateStrategy') ?? {}, workloadSpecField.child('updateStrategy')),
    ...nonNegativeFields(spec, ['revisionHistoryLimit'], workloadSpecField),
  ];
}

function validateDaemonSetStrategy(strategy: JsonObject, field: Path): FieldError[] {
  const type = stringAt(strategy, 'type');
  const rolling = objectAt(strategy, 'rollingUpdate');
  const at = field.child('rollingUpdate');
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate')
    return [
      notSupported(field, goForm('io.k8s.api.apps.v1.DaemonSetUpdateStrategy', strategy), [
        'RollingUpdate',
        'OnDelete',
      ]),
    ];
  if (!rolling) return [required(at, '')];
  const fields = ['maxUnavailable', 'maxSurge'] as const;
  const [unavailable, surge] = fields.map((name) => amountOrPercent(rolling[name]) !== 0);
  return [
    ...fields.flatMap((name) => validateAmountOrPercent(rolling[name], at.child(name))),
    ...fields.flatMap((name) => validateAtMost100Percent(rolling[name], at.child(name))),
    ...(unavailable && surge
      ? [invalid(at.child('maxSurge'), rolling['maxSurge'] ?? 0, 'may not be set when maxUnavailable is non-zero')]
      : []),
    ...(!unavailable && !surge ? [required(at.child('maxUnavailable'), 'cannot be 0 when maxSurge is 0')] : []),
  ];
}

export function* validateDaemonSetUpdate(
  daemonSet: KubeObject,
  options: RuleOptions,
  old: KubeObject,
): Steps<FieldError[]> {
  return [...(yield* validateDaemonSet(daemonSet, options, old)), ...selectorKept(daemonSet, old)];
}

/** Validates a ReplicationController, whose selector is a plain map of labels. */
export function* validateReplicationController(
  controller: KubeObject,
  options: RuleOptions,
  old?: KubeObject,
): Steps<FieldError[]> {
  const spec = specOf(controller);
  const selector = objectAt(spec, 'selector') ?? {};
  const template = objectAt(spec, 'template');
  const at = workloadSpecField.child('template');
  const labels = objectAt(template, 'metadata', 'labels');
  const empty = Object.keys(selector).length === 0;
  const matches =
    empty ||
    matchesLabels(selectorFromSet(Object.fromEntries(stringMapAt(selector))), Object.fromEntries(stringMapAt(labels)));
  return [
    ...nonNegativeFields(spec, ['minReadySeconds', 'replicas'], workloadSpecField),
    ...(empty ? [required(workloadSpecField.child('selector'), '')] : []),
    ...(template && !matches
      ? [invalid(at.child('metadata', 'labels'), printable(labels), '`selector` does not match template `labels`')]
      : []),
    ...(template
      ? yield* validateWorkloadTemplate(
          template,
          objectAt(old, 'spec', 'template'),
          options,
          'ReplicationController',
          at,
        )
      : [required(at, '')]),
  ];
}
