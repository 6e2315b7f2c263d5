import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RetryAfter } from './retry-after.ts';

function drop(retryAfter: RetryAfter, level: string, second: number, count: number): number {
  let seconds = 0;
  for (let i = 0; i < count; i++) seconds = retryAfter.dropped(level, second);
  return seconds;
}

describe('RetryAfter', () => {
  test('doubles while many requests are dropped, up to 32 seconds', () => {
    const retryAfter = new RetryAfter();
    const said = Array.from({ length: 200 }, (_, second) => drop(retryAfter, 'level', 1_000 + second, 200));
    assert.deepEqual([...new Set(said)], [1, 2, 4, 8, 16, 32]);
  });

  test('goes down by a second at a time when few are dropped', () => {
    const retryAfter = new RetryAfter();
    for (let second = 0; second < 20; second++) drop(retryAfter, 'level', 1_000 + second, 100);
    const high = retryAfter.dropped('level', 1_020);
    const later = [2_000, 2_100, 2_200].map((second) => retryAfter.dropped('level', second));
    assert.deepEqual(later, [high - 1, high - 2, high - 3]);
  });

  test('keeps levels apart', () => {
    const retryAfter = new RetryAfter();
    for (let second = 0; second < 20; second++) drop(retryAfter, 'busy', 1_000 + second, 100);
    assert.equal(retryAfter.dropped('quiet', 1_020), 1);
  });
});
