import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isWatchCached, watchCacheSizeErrors } from './watch-cache-sizes.ts';

describe('--watch-cache-sizes', () => {
  test('refuses what is no resource#size, and sizes that are no number or negative', () => {
    // The reference's texts (apiserver/pkg/server/options/etcd.go, ParseWatchCacheSizes).
    const wrong = new Map([
      ['pods', 'invalid value of watch cache size: pods'],
      ['pods#1#2', 'invalid value of watch cache size: pods#1#2'],
      ['pods#many', 'invalid size of watch cache size: pods#many'],
      ['pods#', 'invalid size of watch cache size: pods#'],
      ['pods#9223372036854775808', 'invalid size of watch cache size: pods#9223372036854775808'],
      ['pods#-1', 'watch cache size cannot be negative: pods#-1'],
    ]);
    assert.deepEqual(watchCacheSizeErrors({ watchCache: true, watchCacheSizes: [...wrong.keys()] }), [
      ...wrong.values(),
    ]);
  });

  test('is not read where watch caches are off', () => {
    assert.deepEqual(watchCacheSizeErrors({ watchCache: false, watchCacheSizes: ['pods'] }), []);
  });

  test('turns caches off by 0, and those of events on by another size', () => {
    const pods = { group: '', resource: 'pods' };
    const events = { group: 'events.k8s.io', resource: 'events' };
    const deployments = { group: 'apps', resource: 'deployments' };
    const cached = (watchCacheSizes: readonly string[], watchCache = true): boolean[] =>
      [pods, events, deployments].map(isWatchCached({ watchCache, watchCacheSizes }));
    assert.deepEqual(cached([]), [true, false, true]);
    assert.deepEqual(cached(['pods#0', 'deployments.apps#000']), [false, false, false]);
    assert.deepEqual(cached(['events.events.k8s.io#1', 'pods#100']), [true, true, true]);
    assert.deepEqual(cached([], false), [false, false, false]);
  });
});
