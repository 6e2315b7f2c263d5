import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldErrorBody } from '#shared/apimachinery/errors/field-error.ts';
import { checkNumber } from './check-number.ts';
import { CheckResult } from './check-result.ts';
import { SchemaNode } from './schema-node.ts';

function textsOf(value: number | bigint, schema: Record<string, number | string>): string[] {
  const result = new CheckResult();
  checkNumber(value, new SchemaNode(schema), 'spec.p', result);
  return result.violations.map((violation) => fieldErrorBody(violation.error()));
}

describe('checkNumber', () => {
  // The causes of kube-apiserver v1.36.3. A bound that its type cannot hold is compared as a float64, and printed so.
  test('compares an integer with a bound beyond int64 as a float', () => {
    assert.deepEqual(textsOf(-2_147_483_649, { type: 'integer', minimum: 2 ** 63 }), [
      'Invalid value: "": Minimum boundary value must be of type integer (default format) in spec.p',
      'Invalid value: -2.147483649e+09: spec.p in body should be greater than or equal to 9.223372036854776e+18',
    ]);
  });

  test('takes the digits of a float64 for a bound, which end with zeros beyond those of int64', () => {
    assert.deepEqual(textsOf(9_007_199_254_740_992n, { type: 'integer', format: 'int64', minimum: -(2 ** 63) }), [
      'Invalid value: "": Minimum boundary value must be of type integer with format int64 in spec.p',
    ]);
  });

  test('names the type of a value below int64 as well as its bound', () => {
    assert.deepEqual(textsOf(-(2 ** 63), { type: 'integer' }), [
      'Invalid value: "": Checked value must be of type integer (default format) in spec.p',
    ]);
  });

  test('prints the factor of a number that is no integer as a float', () => {
    assert.deepEqual(textsOf(1e19, { type: 'number', multipleOf: -2_147_483_649 }), [
      'Invalid value: -2.147483649e+09: factor MultipleOf declared for spec.p must be positive: -2.147483649e+09',
    ]);
  });
});
