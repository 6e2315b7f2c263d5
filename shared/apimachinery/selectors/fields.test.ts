import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { testRecordedSection } from '#shared/apimachinery/testing/recorded-values.ts';
import { formatFieldSelector, matchesFields, parseFieldSelector } from './fields.ts';

describe('parseFieldSelector and formatFieldSelector', () =>
  testRecordedSection('fieldSelectors', (input) => formatFieldSelector(atOnce(parseFieldSelector(String(input))))));

describe('matchesFields', () => {
  test('treats a missing field as empty', () => {
    assert.ok(matchesFields(atOnce(parseFieldSelector('a=,b!=x')), { b: 'y' }));
    assert.ok(!matchesFields(atOnce(parseFieldSelector('a=1')), {}));
  });
});
