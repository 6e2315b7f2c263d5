import type { Gates } from '#servers/core/gates/gates.ts';
import { goForm } from '#servers/core/validation/go-form.ts';
import { sameMembers } from '#shared/api/same-by-type.ts';
import { duplicate, invalid, path, required, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { getKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import {
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  stringsAt,
  valueAt,
  type KubeObject,
} from '#shared/apimachinery/object.ts';
import { nonNegativeFields } from '#shared/apimachinery/validation/field-rules.ts';
import { timeToMs } from '#shared/apimachinery/values/time.ts';
import { validateCompletedIndexes, validateFailedIndexes } from './job-index-validation.ts';

const field = path('status');
const terminal = ['Failed', 'Complete', 'FailureTarget'] as const;

/** A status with its conditions by type. Comparing two views shows what a write changed. */
interface View {
  readonly status: JsonObject;
  has(condition: string): boolean;
  readonly finished: boolean;
}

function viewOf(job: KubeObject): View {
  const status = objectAt(job, 'status') ?? {};
  const has = (type: string): boolean =>
    objectsAt(status, 'conditions').some(
      (condition) => stringAt(condition, 'type') === type && stringAt(condition, 'status') === 'True',
    );
  return { status, has, finished: has('Complete') || has('Failed') };
}

/**
 * A write of a Job's status (pkg/registry/batch/job getStatusValidationOptions, pkg/apis/batch/validation
 * ValidateJobUpdateStatus).
 */
export function validateJobStatus(job: KubeObject, old: KubeObject, gates: Gates): FieldError[] {
  const [now, before] = [viewOf(job), viewOf(old)];
  // Strict with this gate, because controllers other than the built-in one may then write the status of Jobs.
  const strict = gates.JobManagedBy;
  return [
    ...nonNegativeFields(now.status, ['active', 'succeeded', 'failed', 'ready', 'terminating'], field),
    ...validateUncounted(now.status),
    ...(strict
      ? [
          ...validateConditions(now, before),
          ...validateTimes(now, before),
          ...validateOutcome(now, before),
          ...validateFinished(job, now, before),
          ...validateCompletedIndexes(job, old),
          ...validateFailedIndexes(job, old),
          ...validateCounts(now, before),
        ]
      : []),
    ...validateSuccess(job, now, strict || gates.JobPodReplacementPolicy || before.has('SuccessCriteriaMet')),
    ...(strict ? validateTransition(job, old, now, before) : []),
    ...validateSuccessTransition(now, before),
  ];
}

const changed = (now: View, before: View, ...keys: readonly string[]): boolean =>
  !sameMembers('io.k8s.api.batch.v1.JobStatus', keys, now.status, before.status);
const turned = (now: View, before: View, ...conditions: readonly string[]): boolean =>
  conditions.some((type) => now.has(type) !== before.has(type));
const conditionsError = (detail: string): FieldError => invalid(field.child('conditions'), undefined, detail);

function validateUncounted(status: JsonObject): FieldError[] {
  const seen = new Set<string>();
  return ['succeeded', 'failed'].flatMap((list) =>
    stringsAt(status, 'uncountedTerminatedPods', list).flatMap((uid, index) => {
      const at = field.child('uncountedTerminatedPods', list).index(index);
      if (uid === '') return [invalid(at, uid, 'must not be empty')];
      if (seen.has(uid)) return [duplicate(at, uid)];
      seen.add(uid);
      return [];
    }),
  );
}

function validateConditions(now: View, before: View): FieldError[] {
  const complete = now.has('Complete');
  return [
    ...(turned(now, before, 'Complete', 'Failed') && complete && now.has('Failed')
      ? [conditionsError('cannot set Complete=True and Failed=true conditions')]
      : []),
    ...(turned(now, before, 'Complete', 'FailureTarget') && complete && now.has('FailureTarget')
      ? [conditionsError('cannot set Complete=True and FailureTarget=true conditions')]
      : []),
  ];
}

function validateTimes(now: View, before: View): FieldError[] {
  const [start, completion] = [getKey(now.status, 'startTime'), getKey(now.status, 'completionTime')];
  const at = field.child('completionTime');
  const ended = turned(now, before, 'Complete') || changed(now, before, 'completionTime');
  const isEarly = start !== undefined && completion !== undefined && msOf(completion) < msOf(start);
  return [
    ...(ended && completion !== undefined && !now.has('Complete')
      ? [invalid(at, completion, 'cannot set completionTime when there is no Complete=True condition')]
      : []),
    ...(ended && completion === undefined && now.has('Complete')
      ? [required(at, 'completionTime is required for Complete jobs')]
      : []),
    ...(changed(now, before, 'startTime', 'completionTime') && isEarly
      ? [invalid(at, completion, 'must be equal to or after `startTime`')]
      : []),
  ];
}

/** Of a time of the status; null is Go's zero time. */
function msOf(time: JsonValue): number {
  return typeof time === 'string' ? (timeToMs(time) ?? 0) : Number.NEGATIVE_INFINITY;
}

function validateOutcome(now: View, before: View): FieldError[] {
  const failed = turned(now, before, 'Failed') || changed(now, before, 'failedIndexes');
  return [
    ...(failed && now.has('Failed') && !now.has('FailureTarget')
      ? [conditionsError('cannot set Failed=True condition without the FailureTarget=true condition')]
      : []),
    ...(turned(now, before, 'Complete', 'SuccessCriteriaMet') && now.has('Complete') && !now.has('SuccessCriteriaMet')
      ? [conditionsError('cannot set Complete=True condition without the SuccessCriteriaMet=true condition')]
      : []),
  ];
}

function validateFinished(job: KubeObject, now: View, before: View): FieldError[] {
  if (!now.finished) return [];
  const { status } = now;
  const ended = now.finished !== before.finished;
  const [active, uncounted] = [numberAt(status, 'active') ?? 0, objectAt(status, 'uncountedTerminatedPods')];
  const neverRan = objectAt(job, 'spec')?.['suspend'] === true && numberAt(job, 'spec', 'completions') === 0;
  const left = stringsAt(uncounted, 'failed').length + stringsAt(uncounted, 'succeeded').length;
  return [
    ...((ended || changed(now, before, 'active')) && active > 0
      ? [invalid(field.child('active'), active, 'active>0 is invalid for finished job')]
      : []),
    ...((ended || changed(now, before, 'startTime')) && !neverRan && getKey(status, 'startTime') === undefined
      ? [required(field.child('startTime'), 'startTime is required for finished job')]
      : []),
    ...((ended || changed(now, before, 'uncountedTerminatedPods')) && left > 0
      ? [
          invalid(
            field.child('uncountedTerminatedPods'),
            goForm('io.k8s.api.batch.v1.UncountedTerminatedPods', uncounted ?? {}),
            'must be empty for finished job',
          ),
        ]
      : []),
  ];
}

function validateCounts(now: View, before: View): FieldError[] {
  const { status, finished } = now;
  const [active, ready, terminating] = [
    numberAt(status, 'active') ?? 0,
    numberAt(status, 'ready'),
    numberAt(status, 'terminating') ?? 0,
  ];
  const stillEnding =
    (finished !== before.finished || changed(now, before, 'terminating')) && finished && terminating > 0;
  return [
    ...(stillEnding
      ? [invalid(field.child('terminating'), terminating, 'terminating>0 is invalid for finished job')]
      : []),
    ...(changed(now, before, 'ready', 'active') && ready !== undefined && ready > active
      ? [invalid(field.child('ready'), ready, 'cannot set more ready pods than active')]
      : []),
  ];
}

/** @param anyJob whether Jobs without a success policy may have the condition SuccessCriteriaMet too */
function validateSuccess(job: KubeObject, now: View, anyJob: boolean): FieldError[] {
  const met = now.has('SuccessCriteriaMet');
  return [
    ...(met && !anyJob && objectAt(job, 'spec')?.['completionMode'] !== 'Indexed'
      ? [conditionsError('cannot set SuccessCriteriaMet to NonIndexed Job')]
      : []),
    ...(met && now.has('Failed')
      ? [conditionsError('cannot set SuccessCriteriaMet=True and Failed=true conditions')]
      : []),
    ...(met && now.has('FailureTarget')
      ? [conditionsError('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions')]
      : []),
    ...(met && !anyJob && !objectAt(job, 'spec', 'successPolicy')
      ? [conditionsError('cannot set SuccessCriteriaMet=True for Job without SuccessPolicy')]
      : []),
    ...(!met && now.has('Complete') && objectAt(job, 'spec', 'successPolicy')
      ? [conditionsError('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True')]
      : []),
  ];
}

/** Counters may not decrease, and terminal conditions and the completion time may not change. */
function validateTransition(job: KubeObject, old: KubeObject, now: View, before: View): FieldError[] {
  const spec = objectAt(job, 'spec') ?? {};
  const scalable =
    spec['completionMode'] === 'Indexed' && numberAt(spec, 'completions') === numberAt(spec, 'parallelism');
  const counter = (name: string) => [numberAt(now.status, name) ?? 0, numberAt(before.status, name) ?? 0] as const;
  const fell = (name: string): FieldError[] =>
    counter(name)[0] < counter(name)[1]
      ? [invalid(field.child(name), counter(name)[0], `cannot decrease the ${name} counter`)]
      : [];
  const completion = getKey(now.status, 'completionTime');
  const moved =
    completion !== undefined &&
    getKey(before.status, 'completionTime') !== undefined &&
    changed(now, before, 'completionTime');
  return [
    ...terminal
      .filter((type) => before.has(type) && !now.has(type))
      .map((type) => conditionsError(`cannot disable the terminal ${type}=True condition`)),
    ...fell('failed'),
    ...(scalable ? [] : fell('succeeded')),
    ...(moved ? [invalid(field.child('completionTime'), completion, 'field is immutable')] : []),
    ...(restarts(job, old, now, before)
      ? [
          invalid(
            field.child('startTime'),
            now.status['startTime'] ?? null,
            'field is immutable for unsuspended job once set',
          ),
        ]
      : []),
  ];
}

function validateSuccessTransition(now: View, before: View): FieldError[] {
  return [
    ...(before.has('SuccessCriteriaMet') && !now.has('SuccessCriteriaMet')
      ? [conditionsError('cannot disable the SuccessCriteriaMet=True condition')]
      : []),
    ...(before.has('Complete') && !before.has('SuccessCriteriaMet') && now.has('SuccessCriteriaMet')
      ? [conditionsError('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions')]
      : []),
  ];
}

function restarts(job: KubeObject, old: KubeObject, now: View, before: View): boolean {
  const resumes =
    before.has('Suspended') &&
    objectsAt(now.status, 'conditions').some(
      (condition) => stringAt(condition, 'type') === 'Suspended' && stringAt(condition, 'status') === 'False',
    );
  return (
    changed(now, before, 'startTime') &&
    !resumes &&
    valueAt(old, 'status', 'startTime') !== undefined &&
    objectAt(job, 'spec')?.['suspend'] !== true
  );
}
