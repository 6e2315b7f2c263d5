import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldErrorText } from '#shared/apimachinery/errors/field-error.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import { controllerRevisionStrategy } from './controller-revisions.ts';
import { controllerRevisionRows } from './rows.ts';

const context = systemContext({ namespace: 'default' });

function revision(members: Partial<KubeObject>): KubeObject {
  return asKubeObject({ metadata: { name: 'a' }, revision: 1, data: {}, ...members });
}

describe('ControllerRevisions', () => {
  // The texts of kube-apiserver v1.36.3.
  test('shows a negative revision below -2^53 exactly', () => {
    const errors = controllerRevisionStrategy.validate?.(revision({ revision: -9_223_372_036_854_775_808n }), context);
    assert.deepEqual(errors?.map(fieldErrorText), [
      'revision: Invalid value: -9223372036854775808: must be greater than or equal to 0',
    ]);
  });

  test('shows data that is a number beyond int64 as raw JSON', () => {
    const changed = revision({ data: 18_446_744_073_709_551_615n });
    const errors = controllerRevisionStrategy.validateUpdate?.(changed, revision({}), context);
    assert.deepEqual(errors?.map(fieldErrorText), ['data: Invalid value: 18446744073709551615: field is immutable']);
  });

  test('has a revision above 2^53 as an exact cell', () => {
    const row = controllerRevisionRows.print(revision({ revision: 9_007_199_254_740_993n }));
    assert.equal(row.cells[2], 9_007_199_254_740_993n);
  });
});
