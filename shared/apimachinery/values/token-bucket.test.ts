import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TokenBucket } from './token-bucket.ts';

describe('TokenBucket', () => {
  test('gives its burst at once, and no token more', () => {
    const bucket = new TokenBucket(3, 2, 1_000);
    assert.deepEqual(
      [1, 2, 3, 4].map(() => bucket.take(1_000)),
      [true, true, true, false],
    );
  });

  test('gives a token more after each part of a second', () => {
    const bucket = new TokenBucket(1, 2, 1_000);
    assert.deepEqual(
      [1_000, 1_499, 1_500, 1_999, 2_000].map((nowMs) => bucket.take(nowMs)),
      [true, false, true, false, true],
    );
  });

  test('saves no more than its burst while it is not used', () => {
    const bucket = new TokenBucket(2, 100, 0);
    assert.deepEqual(
      [1, 2, 3].map(() => bucket.take(60_000)),
      [true, true, false],
    );
  });
});
