import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { keepLastApplied } from './last-applied.ts';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** The annotations of the configuration that is kept, as the reference keeps them. */
const cases: readonly (readonly [string, JsonValue, JsonValue | undefined])[] = [
  ['no map', null, undefined],
  ['an empty map', {}, {}],
  ['a null', { a: null, b: 'c' }, { a: '', b: 'c' }],
  ['a number', { a: 1, b: 'c' }, undefined],
  ['itself', { a: 'b', [annotation]: 'x' }, { a: 'b' }],
];

describe('last applied configuration', () => {
  for (const [name, annotations, kept] of cases)
    test(`holds ${JSON.stringify(kept)} for annotations with ${name}`, () => {
      const object = { metadata: { name: 'a', annotations: { [annotation]: '{}' } } };
      keepLastApplied(object, { apiVersion: 'v1', metadata: { name: 'a', annotations } });
      const { metadata } = JSON.parse(object.metadata.annotations[annotation] ?? '') as { metadata: object };
      assert.deepEqual(metadata, { name: 'a', ...(kept !== undefined && { annotations: kept }) });
    });
});
