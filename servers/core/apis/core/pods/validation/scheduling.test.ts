import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldErrorText, path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { validateSpreadConstraints } from './scheduling.ts';

const constraint: JsonObject = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };

/** Without the gate that merges label keys into the selector; the tables of limits have it on. */
function errorsOf(more: JsonObject): string[] {
  return validateSpreadConstraints([{ ...constraint, ...more }], false, path('spread')).map(fieldErrorText);
}

describe('validateSpreadConstraints without merged label keys', () => {
  test('accepts a constraint without label keys and selector', () => {
    assert.deepEqual(errorsOf({}), []);
    assert.deepEqual(errorsOf({ matchLabelKeys: [] }), []);
  });

  test('refuses label keys without a selector', () => {
    assert.deepEqual(errorsOf({ matchLabelKeys: ['a'] }), [
      'spread[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set',
    ]);
  });

  test('refuses a label key that the selector has, too', () => {
    const refused = [
      'spread[0].matchLabelKeys[0]: Invalid value: "a": exists in both matchLabelKeys and labelSelector',
    ];
    assert.deepEqual(errorsOf({ labelSelector: { matchLabels: { b: 'c' } }, matchLabelKeys: ['a'] }), []);
    assert.deepEqual(errorsOf({ labelSelector: { matchLabels: { a: 'c' } }, matchLabelKeys: ['a'] }), refused);
    const expression = { key: 'a', operator: 'Exists' };
    assert.deepEqual(errorsOf({ labelSelector: { matchExpressions: [expression] }, matchLabelKeys: ['a'] }), refused);
  });
});
