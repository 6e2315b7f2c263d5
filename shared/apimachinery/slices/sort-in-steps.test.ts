import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce, inSlices } from './slices.ts';
import { sortInSteps } from './sort-in-steps.ts';

describe('sortInSteps', () => {
  test('sorts long lists stably, as toSorted does, at once and in steps', async () => {
    const byFirst = (a: readonly number[], b: readonly number[]): number => (a[0] ?? 0) - (b[0] ?? 0);
    for (const length of [0, 1, 2000, 2001, 9999]) {
      const list = Array.from({ length }, (_, index) => [(index * 7919) % 977, index]);
      const expected = list.toSorted(byFirst);
      assert.deepEqual(await inSlices(sortInSteps([...list], byFirst)), expected);
      assert.deepEqual(atOnce(sortInSteps([...list], byFirst)), expected);
    }
  });
});
