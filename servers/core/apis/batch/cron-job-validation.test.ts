import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recordedRequest, template } from '#servers/core/testdata/recorded-request.ts';
import { defaultDependencies } from '#servers/core/testing/default-dependencies.ts';
import { defaulted } from '#servers/core/testing/validated.ts';
import { fieldErrorText } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { validateCronJob } from './cron-job-validation.ts';

function cronJob(spec: JsonObject): KubeObject {
  const pods = { spec: { ...template.spec, restartPolicy: 'Never' } };
  return defaulted(
    recordedRequest('batch', 'v1', 'cronjobs', 'CronJob', {
      spec: { jobTemplate: { spec: { template: pods } }, ...spec },
    }),
  );
}

function errors(spec: JsonObject, old: JsonObject): string[] {
  return atOnce(validateCronJob(cronJob(spec), defaultDependencies, cronJob(old))).map((error) =>
    fieldErrorText(error),
  );
}

// Rules of pkg/apis/batch/validation, validateScheduleFormat: such objects are in storage since earlier releases.
describe('validateCronJob, of an update of a stored schedule with a time zone', () => {
  const old = { schedule: 'TZ=UTC * * * * *' };

  test('accepts the schedule, and another one with a time zone', () => {
    assert.deepEqual(errors(old, old), []);
    assert.deepEqual(errors({ schedule: 'CRON_TZ=Europe/Berlin 0 0 * * *' }, old), []);
  });

  test('refuses the field timeZone beside it', () => {
    assert.deepEqual(errors({ ...old, timeZone: 'UTC' }, old), [
      'spec.schedule: Invalid value: "TZ=UTC * * * * *": cannot use both timeZone field and TZ or CRON_TZ in schedule',
    ]);
  });

  test('refuses a time zone where the old schedule has none', () => {
    assert.deepEqual(errors(old, { schedule: '* * * * *' }), [
      'spec.schedule: Invalid value: "TZ=UTC * * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
    ]);
  });

  test('accepts a stored timeZone that is none, as long as it stays', () => {
    const [stored, other] = ['Mars/Base', 'Moon/Base'].map((timeZone) => ({ schedule: '* * * * *', timeZone }));
    assert.deepEqual(errors(stored ?? {}, stored ?? {}), []);
    assert.deepEqual(errors(other ?? {}, stored ?? {}), [
      'spec.timeZone: Invalid value: "Moon/Base": unknown time zone Moon/Base',
    ]);
  });
});
