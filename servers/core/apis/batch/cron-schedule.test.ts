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
});
