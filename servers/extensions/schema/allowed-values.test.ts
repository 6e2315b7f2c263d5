import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { deepEqual } from '#shared/apimachinery/schema/deep-equal.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { AllowedValues } from './allowed-values.ts';
import { checkValue } from './check-value.ts';
import { SchemaNode } from './schema-node.ts';

const { value: anyValue } = fc.letrec<{ value: JsonValue; scalar: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    tie('scalar'),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value'), { maxKeys: 2 }),
  ),
  scalar: fc.constantFrom<JsonValue>(null, true, 0, -0, 1, 2n ** 63n, '', '0', '1n', 'null', '{}', '[]'),
}));

describe('AllowedValues', () => {
  test('allows lists and objects that equal an enum value', () => {
    const other = anyValue.filter((value) => typeof value === 'object' && value !== null);
    fc.assert(
      fc.property(fc.array(anyValue, { minLength: 1, maxLength: 6 }), other, (list, value) => {
        assert.equal(
          new AllowedValues(list).has(value),
          list.some((item) => deepEqual(item, value)),
        );
      }),
      { numRuns: 3000 },
    );
  });

  // As kube-apiserver accepts them: amd64 converts a float64 beyond int64 to the lowest one.
  test('compares numbers beyond int64 as floats, and with the lowest int64', () => {
    const lowest = new AllowedValues([-9_223_372_036_854_775_808n, 1]);
    assert.equal(lowest.has(18_446_744_073_709_551_616), true);
    const large = new AllowedValues([18_446_744_073_709_551_615n, 1]);
    assert.equal(large.has(18_446_744_073_709_551_616), true);
    assert.deepEqual(large.texts, ['18446744073709552000', '1']);
  });

  test('compares numbers after conversion to the type of the enum value', () => {
    const allowed = new AllowedValues([2, 'A', null]);
    for (const value of [2, 2.7, 65, 'A']) assert.equal(allowed.has(value), true, String(value));
    for (const value of [3, -2.7, 66, '2', null, 2n ** 64n]) assert.equal(allowed.has(value), false, String(value));
  });

  test('checks 100,000 items against an enum of 100,000 values', () => {
    const allowed = Array.from({ length: 100_000 }, (_, index) => `value ${index}`);
    const schema = new SchemaNode({ type: 'array', items: { type: 'string', enum: allowed } });
    assert.equal(atOnce(checkValue(allowed, schema, 'list')).valid, true);
    const wrong = atOnce(
      checkValue(
        allowed.map((text) => `${text}!`),
        schema,
        'list',
      ),
    );
    assert.equal(wrong.violations.length, 10_000);
    assert.match(wrong.violations[9999]?.error().detail ?? '', /^supported values: "value 0", .*"value 99999"$/);
  });

  test('checks 300,000 objects for 100,000 required fields', () => {
    const required = Array.from({ length: 100_000 }, (_, index) => `field${index}`);
    const schema = new SchemaNode({ type: 'array', items: { type: 'object', required } });
    const { violations } = atOnce(
      checkValue(
        Array.from({ length: 300_000 }, () => ({})),
        schema,
        'list',
      ),
    );
    assert.equal(violations.length, 10_000);
    assert.equal(violations[9999]?.message, 'list[0].field9999 in body is required');
  });
});
