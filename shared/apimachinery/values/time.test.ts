import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testRecordedSection } from '#shared/apimachinery/testing/recorded-values.ts';
import { canonicalMicroTime, canonicalTime } from './time.ts';

describe('canonicalTime', () => testRecordedSection('times', (input) => canonicalTime(String(input))));

describe('canonicalMicroTime', () => testRecordedSection('microTimes', (input) => canonicalMicroTime(String(input))));

// As Go's time.Parse: it checks the hour and the minute of an offset separately.
describe('limits of time zone offsets', () => {
  test('allow 24 hours and 60 minutes', () =>
    assert.equal(canonicalTime('2020-01-03T00:00:00+24:60'), '2020-01-01T23:00:00Z'));

  test('reject 25 hours', () =>
    assert.throws(() => canonicalTime('2020-01-03T00:00:00+25:00'), /time zone offset hour out of range/));

  test('reject 61 minutes', () =>
    assert.throws(() => canonicalTime('2020-01-03T00:00:00+00:61'), /time zone offset minute out of range/));
});
