import { validatePodTemplate } from '#servers/core/apis/core/pods/validation/pods.ts';
import type { RuleOptions } from '#servers/core/gates/rule-options.ts';
import { validateUnchanged } from '#servers/core/validation/unchanged.ts';
import {
  invalid,
  notSupported,
  path,
  required,
  tooLong,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { int64At, type KubeObject, numberAt, objectAt, stringAt, stringMapAt } from '#shared/apimachinery/object.ts';
import { printable, selects, validateLabelSelector } from '#shared/apimachinery/selectors/validate-label-selector.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { validateDomainPrefixedPath } from '#shared/apimachinery/validation/domain-prefixed-path.ts';
import { givenOneOf, nonNegativeFields } from '#shared/apimachinery/validation/field-rules.ts';
import { validateImmutableField } from '#shared/apimachinery/validation/meta-validation.ts';
import { isDNS1123Label } from '#shared/apimachinery/validation/names.ts';
import { withNamedString } from '#shared/registry/named-strings.ts';
import { validateFailurePolicy } from './job-failure-policy.ts';
import { validateTemplateUpdate } from './job-template-update.ts';
import { validateSuccessPolicy } from './success-policy-validation.ts';

const specField = path('spec');
const uidLabel = 'batch.kubernetes.io/controller-uid';
/** Maximum of parallel pods and failed indexes of an Indexed Job; stricter limits hold for many completions. */
const maxIndexed = 100_000;
const maxOfMany = 10_000;
const maxManagerLength = 63;

/** Jobs (pkg/apis/batch/validation). */
export function* validateJob(job: KubeObject, options: RuleOptions, old?: KubeObject): Steps<FieldError[]> {
  const spec = objectAt(job, 'spec') ?? {};
  return [
    ...validateGeneratedSelector(job),
    ...(yield* validateSelectingSpec(spec, objectAt(old, 'spec'), options)),
    ...validateIndexedName(job, spec),
  ];
}

function* validateSelectingSpec(
  spec: JsonObject,
  old: JsonObject | undefined,
  options: RuleOptions,
): Steps<FieldError[]> {
  const selector = objectAt(spec, 'selector');
  const at = specField.child('selector');
  const labels = objectAt(spec, 'template', 'metadata', 'labels');
  const matches = selector ? selects(selector, labels) : false;
  return [
    ...(yield* validateJobSpec(spec, old, options, specField)),
    ...(selector ? validateLabelSelector(selector, at) : [required(at, '')]),
    ...(matches === false
      ? [
          invalid(
            specField.child('template', 'metadata', 'labels'),
            printable(labels),
            '`selector` does not match template `labels`',
          ),
        ]
      : []),
  ];
}

/** Pods of an indexed Job have its name and their number as host names. */
function validateIndexedName(job: KubeObject, spec: JsonObject): FieldError[] {
  const completions = numberAt(spec, 'completions') ?? 0;
  if (stringAt(spec, 'completionMode') !== 'Indexed' || completions <= 0) return [];
  const last = `${job.metadata.name ?? ''}-${completions - 1}`;
  return isDNS1123Label(last).length === 0
    ? []
    : [
        invalid(
          path('metadata', 'name'),
          job.metadata.name ?? '',
          `will not able to create pod with invalid DNS label: ${last}`,
        ),
      ];
}

function validateGeneratedSelector(job: KubeObject): FieldError[] {
  const spec = objectAt(job, 'spec') ?? {};
  const selector = objectAt(spec, 'selector');
  if (spec['manualSelector'] === true || !selector) return [];
  const uid = job.metadata.uid ?? '';
  const labels = stringMapAt(spec, 'template', 'metadata', 'labels');
  const field = specField.child('template', 'metadata', 'labels');
  const wanted = {
    'controller-uid': uid,
    'job-name': job.metadata.name ?? '',
    [uidLabel]: uid,
    'batch.kubernetes.io/job-name': job.metadata.name ?? '',
  };
  const errors = Object.entries(wanted).flatMap(([key, value]) => {
    const given = labels.get(key);
    if (given === undefined) return [required(field.key(key), `must be '${value}'`)];
    return given === value
      ? []
      : [invalid(field.key(key), printable(Object.fromEntries(labels)), `must be '${value}'`)];
  });
  return selects(selector, wanted) !== false
    ? errors
    : [...errors, invalid(specField.child('selector'), printable(selector), '`selector` not auto-generated')];
}

/** Validates a JobSpec that replaces `old`, also within CronJobs. */
export function* validateJobSpec(
  spec: JsonObject,
  old: JsonObject | undefined,
  options: RuleOptions,
  field: Path,
): Steps<FieldError[]> {
  const counts = [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  ];
  return [
    ...nonNegativeFields(spec, counts, field),
    ...(numberAt(spec, 'maxFailedIndexes') !== undefined && numberAt(spec, 'backoffLimitPerIndex') === undefined
      ? [required(field.child('backoffLimitPerIndex'), 'when maxFailedIndexes is specified')]
      : []),
    ...validateManager(spec, field.child('managedBy')),
    ...validateCompletions(spec, field),
    ...validateFailurePolicy(spec, field.child('podFailurePolicy')),
    ...validateSuccessPolicy(spec, field.child('successPolicy')),
    ...validateReplacement(spec, field.child('podReplacementPolicy')),
    ...(yield* validatePodTemplate(
      objectAt(spec, 'template'),
      objectAt(old, 'template'),
      options,
      field.child('template'),
    )),
    ...validateTemplatePolicy(spec, field.child('template', 'spec', 'restartPolicy')),
  ];
}

function validateManager(spec: JsonObject, field: Path): FieldError[] {
  const manager = spec['managedBy'];
  if (typeof manager !== 'string') return [];
  return [
    ...validateDomainPrefixedPath(manager, field),
    ...(Buffer.byteLength(manager) > maxManagerLength ? [tooLong(field, '', maxManagerLength)] : []),
  ];
}

function validateCompletions(spec: JsonObject, field: Path): FieldError[] {
  const mode = spec['completionMode'];
  const modes = ['NonIndexed', 'Indexed'];
  const errors =
    typeof mode === 'string' && !modes.includes(mode) ? [notSupported(field.child('completionMode'), mode, modes)] : [];
  if (mode === 'Indexed') return [...errors, ...validateIndexed(spec, field)];
  if (mode !== undefined && mode !== 'NonIndexed') return errors;
  return [
    ...errors,
    ...['backoffLimitPerIndex', 'maxFailedIndexes'].flatMap((name) => {
      const value = int64At(spec, name);
      return value === undefined ? [] : [invalid(field.child(name), value, 'requires indexed completion mode')];
    }),
  ];
}

function validateIndexed(spec: JsonObject, field: Path): FieldError[] {
  const [completions, parallelism, failed] = ['completions', 'parallelism', 'maxFailedIndexes'].map((name) =>
    int64At(spec, name),
  );
  const errors: FieldError[] = [];
  if (completions === undefined) errors.push(required(field.child('completions'), 'when completion mode is Indexed'));
  if (parallelism !== undefined && parallelism > maxIndexed)
    errors.push(
      invalid(
        field.child('parallelism'),
        parallelism,
        `must be less than or equal to ${maxIndexed} when completion mode is Indexed`,
      ),
    );
  if (completions !== undefined && failed !== undefined && failed > completions)
    errors.push(invalid(field.child('maxFailedIndexes'), failed, 'must be less than or equal to completions'));
  if (failed !== undefined && failed > maxIndexed)
    errors.push(invalid(field.child('maxFailedIndexes'), failed, `must be less than or equal to ${maxIndexed}`));
  if (completions === undefined || completions <= maxIndexed || numberAt(spec, 'backoffLimitPerIndex') === undefined)
    return errors;
  if (failed === undefined)
    errors.push(required(field.child('maxFailedIndexes'), `must be specified when completions is above ${maxIndexed}`));
  for (const [name, value] of [
    ['parallelism', parallelism],
    ['maxFailedIndexes', failed],
  ] as const) {
    if (value !== undefined && value > maxOfMany)
      errors.push(
        invalid(
          field.child(name),
          value,
          `must be less than or equal to ${maxOfMany} when completions are above ${maxIndexed} and used with backoff limit per index`,
        ),
      );
  }
  return errors;
}

function validateReplacement(spec: JsonObject, field: Path): FieldError[] {
  return givenOneOf(
    spec['podReplacementPolicy'],
    objectAt(spec, 'podFailurePolicy') ? ['Failed'] : ['Failed', 'TerminatingOrFailed'],
    field,
  );
}

function validateTemplatePolicy(spec: JsonObject, field: Path): FieldError[] {
  const policy = stringAt(spec, 'template', 'spec', 'restartPolicy');
  const known = ['OnFailure', 'Never'];
  if (policy === '' || policy === 'Always') return [required(field, 'valid values: "OnFailure", "Never"')];
  if (!known.includes(policy)) return [notSupported(field, policy, known)];
  return objectAt(spec, 'podFailurePolicy') && policy !== 'Never'
    ? [invalid(field, policy, 'only "Never" is supported when podFailurePolicy is specified')]
    : [];
}

/** Models of fields that the reference shows in its internal form. */
const models: Readonly<Record<string, string>> = {
  podFailurePolicy: 'io.k8s.api.batch.v1.PodFailurePolicy',
  successPolicy: 'io.k8s.api.batch.v1.SuccessPolicy',
};

function keptAs(
  model: string | undefined,
  value: JsonValue | undefined,
  before: JsonValue | undefined,
  field: Path,
): FieldError[] {
  return model === undefined
    ? validateImmutableField(value, before, field).map(withNamedString)
    : validateUnchanged(model, value, before, field);
}

/**
 * Validates an update of a Job, whose selector and pod template are immutable. The reference validates the spec twice,
 * so clients see its errors twice.
 */
export function* validateJobUpdate(job: KubeObject, options: RuleOptions, old: KubeObject): Steps<FieldError[]> {
  const [spec, before] = [objectAt(job, 'spec') ?? {}, objectAt(old, 'spec') ?? {}];
  const kept = (key: string): FieldError[] =>
    keptAs(getKey(models, key), getKey(spec, key), getKey(before, key), specField.child(key));
  return [
    ...(yield* validateJob(job, options, old)),
    ...(yield* validateSelectingSpec(spec, before, options)),
    ...validateCompletionsUpdate(spec, before),
    ...validateImmutableField(
      printable(objectAt(spec, 'selector')),
      printable(objectAt(before, 'selector')),
      specField.child('selector'),
    ),
    ...validateTemplateUpdate(spec, old, options.gates, specField),
    ...['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'].flatMap(kept),
  ];
}

function validateCompletionsUpdate(spec: JsonObject, before: JsonObject): FieldError[] {
  const [now, then] = [numberAt(spec, 'completions'), numberAt(before, 'completions')];
  const field = specField.child('completions');
  if (stringAt(spec, 'completionMode') !== 'Indexed')
    return validateImmutableField(spec['completions'], before['completions'], field);
  const alone = now !== undefined && now !== then && now !== numberAt(spec, 'parallelism');
  return alone ? [invalid(field, now, 'can only be modified in tandem with spec.parallelism')] : [];
}
