import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withWorkers } from './with-workers.ts';

/** How many ran at the same time at most, and what was begun. */
async function run(workers: number, failAt?: number): Promise<{ most: number; begun: number[]; error: unknown }> {
  const begun: number[] = [];
  let [now, most] = [0, 0];
  const error = await withWorkers([1, 2, 3, 4, 5, 6], workers, async (item) => {
    begun.push(item);
    most = Math.max(most, ++now);
    await new Promise((resolve) => setImmediate(resolve));
    now--;
    if (item === failAt) throw new Error('failed');
  }).then(
    () => undefined,
    (thrown: unknown) => (thrown as Error).message,
  );
  return { most, begun, error };
}

describe('withWorkers', () => {
  test('runs each item once and in order, as many at a time as there are workers', async () => {
    for (const [workers, most] of [
      [0, 1],
      [1, 1],
      [3, 3],
      [100, 6],
    ] as const)
      assert.deepEqual(await run(workers), { most, begun: [1, 2, 3, 4, 5, 6], error: undefined });
  });

  test('starts no item after an error', async () => {
    assert.deepEqual(await run(1, 2), { most: 1, begun: [1, 2], error: 'failed' });
    assert.deepEqual((await run(2, 1)).error, 'failed');
  });
});
