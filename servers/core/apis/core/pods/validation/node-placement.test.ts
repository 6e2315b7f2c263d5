import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { copyNodeAffinity, copyPlacement, validatePlacementChange } from './node-placement.ts';

const zone = { key: 'zone', operator: 'In', values: ['a'] };
const disk = { key: 'disk', operator: 'Exists' };
const termsField = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';

function withTerms(...terms: readonly JsonValue[]): JsonObject {
  return {
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [...terms] } } },
  };
}

function fieldsOf(spec: JsonObject, before: JsonObject): string[] {
  return validatePlacementChange(spec, before, path('spec')).map(({ field }) => field);
}

describe('placement of gated pods', () => {
  test('allows a node selector to gain labels but not to change or lose them', () => {
    assert.deepEqual(fieldsOf({ nodeSelector: { a: '1', b: '2' } }, { nodeSelector: { a: '1' } }), []);
    assert.deepEqual(fieldsOf({ nodeSelector: { a: '2' } }, { nodeSelector: { a: '1' } }), ['spec.nodeSelector']);
    assert.deepEqual(fieldsOf({}, { nodeSelector: { a: '1' } }), ['spec.nodeSelector']);
  });

  test('allows required terms to be added at first, and afterwards only new requirements in each term', () => {
    assert.deepEqual(fieldsOf(withTerms({ matchExpressions: [zone] }), {}), []);
    assert.deepEqual(
      fieldsOf(withTerms({ matchExpressions: [zone, disk] }), withTerms({ matchExpressions: [zone] })),
      [],
    );
    assert.deepEqual(fieldsOf(withTerms({ matchExpressions: [disk, zone] }), withTerms({ matchExpressions: [zone] })), [
      `${termsField}[0]`,
    ]);
    assert.deepEqual(fieldsOf(withTerms({ matchExpressions: [zone] }, {}), withTerms({ matchExpressions: [zone] })), [
      termsField,
    ]);
    assert.deepEqual(fieldsOf({}, withTerms({ matchExpressions: [zone] })), [termsField]);
    assert.deepEqual(
      fieldsOf(withTerms({ matchFields: [disk] }), withTerms({})),
      [`${termsField}[0]`],
      'an empty term selects nothing',
    );
  });

  test('copies node affinity without pod affinity', () => {
    const target: JsonObject = { affinity: { podAffinity: { x: 1 }, nodeAffinity: { y: 1 } } };
    copyNodeAffinity(target, { affinity: { podAffinity: { z: 1 }, nodeAffinity: { y: 2 } } });
    assert.deepEqual(target, { affinity: { podAffinity: { x: 1 }, nodeAffinity: { y: 2 } } });
    copyNodeAffinity(target, {});
    assert.deepEqual(target, { affinity: { podAffinity: { x: 1 } } });
  });

  test('drops an affinity that becomes empty only where the other pod has none', () => {
    const spec = withTerms({ matchExpressions: [zone] });
    copyPlacement(spec, {});
    assert.deepEqual(spec, {});
    const empty: JsonObject = { affinity: {} };
    copyPlacement(empty, {});
    assert.deepEqual(empty, { affinity: {} }, 'it was empty before');
  });
});
