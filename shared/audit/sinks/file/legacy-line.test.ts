import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recordedEvents } from '#shared/audit/testing/recorded-events.ts';
import { legacyLine } from './legacy-line.ts';

describe('legacy line of an audit event', () => {
  test('is that of the reference', () => {
    process.env['TZ'] = 'UTC';
    for (const { event, legacy } of recordedEvents()) assert.equal(legacyLine(event), legacy);
  });
});
