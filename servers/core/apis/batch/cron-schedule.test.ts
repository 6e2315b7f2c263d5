import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { scheduleError } from './cron-schedule.ts';

describe('scheduleError', () => {
  test('accepts schedules of five fields and descriptors', () => {
    for (const text of [
      '* * * * *',
      '*/15 0-6,22 1 jan-mar MON',
      '0 0 ? * 5',
      '@hourly',
      '@every 1h30m',
      ', * * * 1,,2',
    ])
      assert.equal(scheduleError(text), undefined, text);
  });

  test('returns the error texts of the reference for invalid schedules', () => {
    assert.equal(scheduleError('bad'), 'expected exactly 5 fields, found 1: [bad]');
    assert.equal(scheduleError('61 * * * *'), 'end of range (61) above maximum (59): 61');
    assert.equal(scheduleError('* * * * 8'), 'end of range (8) above maximum (6): 8');
    assert.equal(
      scheduleError('@every 1x'),
      'failed to parse duration @every 1x: time: unknown unit "x" in duration "1x"',
    );
    assert.equal(scheduleError('@never'), 'unrecognized descriptor: @never');
  });

  // As kube-apiserver answers creations, beside the error that a schedule has no time zone.
  for (const [schedule, error] of [
    ['TZ=UTC * * * * *', undefined],
    ['TZ= * * * * *', undefined],
    ['CRON_TZ=UTC @daily', undefined],
    ['CRON_TZ=Bad/Zone * * * * *', 'provided bad location Bad/Zone: unknown time zone Bad/Zone'],
    ['TZ=../x * * * * *', 'provided bad location ../x: time: invalid location name'],
    ['TZ=local * * * * *', 'provided bad location local: unknown time zone local'],
    ['TZ=UTC', 'invalid schedule format: runtime error: slice bounds out of range [:-1]'],
    ['TZ=UTC  61 * * * *', 'end of range (61) above maximum (59): 61'],
    ['TZ=UTC *', 'expected exactly 5 fields, found 1: [*]'],
    ['* * * * TZ', 'failed to parse int from TZ: strconv.Atoi: parsing "TZ": invalid syntax'],
  ] as const)
    test(`reads the time zone of ${schedule}`, () => assert.equal(scheduleError(schedule), error));
});
