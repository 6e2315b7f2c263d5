import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { firstCommonIndex } from './index-intervals.ts';

const common: readonly (readonly [a: string, b: string, index: number | undefined])[] = [
  ['', '1', undefined],
  ['1,3-5', '2,6', undefined],
  ['1,3-5', '2,5-9', 5],
  ['1,3-9', '4,5', 4],
  // The order within the texts counts, even if it is wrong.
  ['7,2', '2,7', 7],
  ['3-9', '8,4', 8],
  ['2,x,6', '0-1,6,3-100', 6],
];
describe('firstCommonIndex', () => {
  for (const [a, b, index] of common) {
    test(`returns ${index} for "${a}" and "${b}"`, () => {
      assert.equal(firstCommonIndex(a, b, 100), index);
    });
  }

  test('returns undefined for two disjoint lists of 200,000 indexes', () => {
    const textOf = (first: number): string => Array.from({ length: 200_000 }, (_, at) => first + 2 * at).join(',');
    assert.equal(firstCommonIndex(textOf(0), textOf(1), 1_000_000), undefined);
  });
});
