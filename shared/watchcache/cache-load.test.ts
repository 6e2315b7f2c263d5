import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CacheLoad } from './cache-load.ts';
import { LoadOrder } from './load-order.ts';
import type { StorageWatchCacheOptions } from './storage-watch-cache-options.ts';

describe('CacheLoad', () => {
  test('does not delay other loads once it is closed, even while storage does not answer', async () => {
    const silent = { list: () => new Promise(() => undefined) };
    const load = new CacheLoad({ storage: silent, prefix: '/a/' } as unknown as StorageWatchCacheOptions);
    load.hurry();
    void load.run(undefined, () => assert.fail());
    load.close();
    load.hurry();
    const begun = performance.now();
    await new LoadOrder().nextTurn();
    assert.ok(performance.now() - begun < 500);
  });
});
