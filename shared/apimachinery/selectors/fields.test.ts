import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testRecordedSection } from '#shared/apimachinery/testing/recorded-values.ts';
import { formatFieldSelector, matchesFields, parseFieldSelector } from './fields.ts';

describe('parseFieldSelector and formatFieldSelector', () =>
  testRecordedSection('fieldSelectors', (input) => formatFieldSelector(parseFieldSelector(String(input)))));

describe('matchesFields', () => {
  test('treats a missing field as empty', () => {
    assert.ok(matchesFields(parseFieldSelector('a=,b!=x'), { b: 'y' }));
    assert.ok(!matchesFields(parseFieldSelector('a=1'), {}));
  });
});
