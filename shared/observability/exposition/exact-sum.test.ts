import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { addExactly, roundedSum } from './exact-sum.ts';

function sumOf(numbers: readonly number[]): number {
  const parts: number[] = [];
  for (const number of numbers) addExactly(parts, number);
  return roundedSum(parts);
}

const seconds = fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 2, maxLength: 20 });

describe('exact sums', () => {
  test('are the same in whatever order numbers are added', () => {
    assert.equal(sumOf([0.1, 0.2, 0.3]), sumOf([0.3, 0.2, 0.1]));
    assert.equal(sumOf([1e16, 1, -1e16]), 1);
    fc.assert(fc.property(seconds, (list) => assert.equal(sumOf(list), sumOf(list.toReversed()))));
  });

  test('never fall while a number grows', () => {
    fc.assert(
      fc.property(seconds, fc.double({ min: 0, max: 1, noNaN: true }), ([first = 0, ...list], more) =>
        assert.ok(sumOf([...list, first + more]) >= sumOf([first, ...list])),
      ),
    );
  });
});
