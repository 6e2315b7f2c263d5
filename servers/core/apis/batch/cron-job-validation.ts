import type { RuleOptions } from '#servers/core/gates/rule-options.ts';
import { textOfNamedType } from '#shared/apimachinery/errors/field-error-type.ts';
import { invalid, notSupported, path, required, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { objectAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { printable } from '#shared/apimachinery/selectors/validate-label-selector.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { nonNegativeFields, oneOf } from '#shared/apimachinery/validation/field-rules.ts';
import { scheduleError } from './cron-schedule.ts';
import { validateJobSpec } from './job-validation.ts';
import { timeZoneError } from './time-zone.ts';

const specField = path('spec');
/** Shorter than other names may be: the controller appends a timestamp for the name of each Job. */
const maxNameLength = 52;

/** CronJobs (pkg/apis/batch/validation). */
export function* validateCronJob(cronJob: KubeObject, options: RuleOptions, old?: KubeObject): Steps<FieldError[]> {
  const spec = objectAt(cronJob, 'spec') ?? {};
  const schedule = stringAt(spec, 'schedule');
  const name = cronJob.metadata.name ?? '';
  const template = objectAt(spec, 'jobTemplate', 'spec') ?? {};
  const selector = objectAt(template, 'selector');
  const manual =
    template['manualSelector'] === true
      ? [notSupported(specField.child('jobTemplate', 'spec', 'manualSelector'), true, ['nil', 'false'])]
      : [];
  return [
    ...validateScheduleField(schedule, spec['timeZone'], stringAt(old, 'spec', 'schedule').includes('TZ')),
    ...nonNegativeFields(spec, ['startingDeadlineSeconds'], specField),
    ...(old !== undefined && objectAt(old, 'spec')?.['timeZone'] === spec['timeZone']
      ? []
      : validateTimeZone(spec['timeZone'])),
    ...oneOf(stringAt(spec, 'concurrencyPolicy'), ['Allow', 'Forbid', 'Replace'], specField.child('concurrencyPolicy')),
    ...(yield* validateJobSpec(
      template,
      objectAt(old, 'spec', 'jobTemplate', 'spec'),
      options,
      specField.child('jobTemplate', 'spec'),
    )),
    ...(selector
      ? [
          invalid(
            specField.child('jobTemplate', 'spec', 'selector'),
            printable(selector),
            '`selector` will be auto-generated',
          ),
        ]
      : []),
    ...manual,
    ...nonNegativeFields(spec, ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit'], specField),
    ...(old === undefined && name.length > maxNameLength
      ? [invalid(path('metadata', 'name'), name, `must be no more than ${maxNameLength} characters`)]
      : []),
  ];
}

/** @param allowsZone whether the old schedule has a time zone, as releases before 1.29 accepted it */
function validateScheduleField(schedule: string, timeZone: unknown, allowsZone: boolean): FieldError[] {
  const field = specField.child('schedule');
  if (schedule === '') return [required(field, '')];
  const text = scheduleError(schedule);
  const errors = text === undefined ? [] : [invalid(field, schedule, text)];
  if (!schedule.includes('TZ')) return errors;
  if (!allowsZone)
    errors.push(invalid(field, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'));
  else if (timeZone !== undefined)
    errors.push(invalid(field, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule'));
  return errors;
}

function validateTimeZone(zone: unknown): FieldError[] {
  if (typeof zone !== 'string') return [];
  const field = specField.child('timeZone');
  const value = textOfNamedType(zone);
  if (zone === '') return [invalid(field, value, 'timeZone must be nil or non-empty string')];
  const explicit = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
  const unknown = timeZoneError(zone);
  return [
    ...(zone.toLowerCase() === 'local' ? [invalid(field, value, explicit)] : []),
    ...(unknown === undefined ? [] : [invalid(field, value, unknown)]),
  ];
}
