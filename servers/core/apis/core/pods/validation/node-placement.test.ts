import assert from 'node:assert/strict';
import { test } from 'node:test';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { takeNodeAffinity, takePlacement, validatePlacementChange } from './node-placement.ts';

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

test('a node selector may only grow', () => {
  assert.deepEqual(fieldsOf({ nodeSelector: { a: '1', b: '2' } }, { nodeSelector: { a: '1' } }), []);
  assert.deepEqual(fieldsOf({ nodeSelector: { a: '2' } }, { nodeSelector: { a: '1' } }), ['spec.nodeSelector']);
  assert.deepEqual(fieldsOf({}, { nodeSelector: { a: '1' } }), ['spec.nodeSelector']);
});

test('required terms may be given where there were none, and only get more requirements then', () => {
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

test('node affinity is taken without what is said of other pods', () => {
  const target: JsonObject = { affinity: { podAffinity: { x: 1 }, nodeAffinity: { y: 1 } } };
  takeNodeAffinity(target, { affinity: { podAffinity: { z: 1 }, nodeAffinity: { y: 2 } } });
  assert.deepEqual(target, { affinity: { podAffinity: { x: 1 }, nodeAffinity: { y: 2 } } });
  takeNodeAffinity(target, {});
  assert.deepEqual(target, { affinity: { podAffinity: { x: 1 } } });
});

test('an affinity that nothing is left of is as none only where the other is none', () => {
  const spec = withTerms({ matchExpressions: [zone] });
  takePlacement(spec, {});
  assert.deepEqual(spec, {});
  const empty: JsonObject = { affinity: {} };
  takePlacement(empty, {});
  assert.deepEqual(empty, { affinity: {} }, 'it was empty before');
});
