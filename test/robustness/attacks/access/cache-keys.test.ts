import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkCacheKeys } from './cache-keys.ts';

describe('cache keys', () => {
  test('differ for different requests, whatever their texts', async () => {
    const pairs = 20_000;
    const different = await checkCacheKeys(pairs, 1);
    assert.ok(different > pairs / 2, `${different} of ${pairs} pairs differ`);
  });
});
