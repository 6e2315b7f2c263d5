import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldErrorText } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { validateEvent } from './event-validation.ts';

function errors(more: JsonObject): string[] {
  const event = {
    metadata: { name: 'e', namespace: 'default' },
    involvedObject: {},
    reportingComponent: 'a',
    reportingInstance: 'b',
    action: 'c',
    reason: 'd',
    type: 'Normal',
    eventTime: '2026-11-28T00:00:00.000000Z',
    ...more,
  };
  return validateEvent(event, true).map((error) => fieldErrorText(error));
}

// kube-apiserver compares whole structs: a zero time that was sent has a location, an absent one has none.
describe('validateEvent', () => {
  test("takes Go's zero time for a time that was sent", () => {
    assert.deepEqual(errors({ eventTime: null, series: { count: 2, lastObservedTime: null } }), []);
  });

  test('requires times that were not sent', () => {
    const { eventTime: _eventTime, ...event } = { eventTime: '', series: { count: 2 } };
    assert.deepEqual(errors(event), ['series.lastObservedTime: Required value']);
  });
});
