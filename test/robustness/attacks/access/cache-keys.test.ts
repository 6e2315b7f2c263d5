import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkCacheKeys } from './cache-keys.ts';

test('no two questions share a key, however their texts are chosen', async () => {
  const pairs = 20_000;
  const different = await checkCacheKeys(pairs, 1);
  assert.ok(different > pairs / 2, `${different} of ${pairs} pairs differ`);
});
