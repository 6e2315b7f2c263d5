import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CacheEvent, CacheWatchOptions, WatchCache } from '#shared/watchcache/watch-cache.ts';
import { CacheFollower } from './cache-follower.ts';

/** A cache that fails to fill as often as asked, and whose watches the test ends. */
function fakeCache(failures: number): { cache: WatchCache; watches: CacheWatchOptions[]; stopped: () => number } {
  const watches: CacheWatchOptions[] = [];
  let left = failures;
  let stopped = 0;
  const cache = {
    ready: async () => {
      if (left-- > 0) throw new Error('away');
    },
    snapshot: () => ({ revision: 5 + watches.length, size: 0, entries: () => [], count: () => 0 }),
    watch(options: CacheWatchOptions) {
      watches.push(options);
      return { stop: () => void stopped++ };
    },
  } as unknown as WatchCache;
  return { cache, watches, stopped: () => stopped };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const event = {} as CacheEvent;

describe('CacheFollower', () => {
  test('delivers the whole state, then changes, and the whole state again after its watch is lost', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const { cache, watches, stopped } = fakeCache(0);
    const calls: string[] = [];
    const follower = new CacheFollower({
      cache,
      prefix: '/p/',
      onState: ({ revision }) => void calls.push(`state ${revision}`),
      onEvents: (events) => void calls.push(`events ${events.length}`),
    });
    assert.equal(follower.isReady(), false);
    await follower.ready();
    assert.equal(follower.isReady(), true);
    watches[0]?.onEvents([event]);
    watches[0]?.onClose('Expired');
    await settle();
    assert.equal(watches.length, 1);
    context.mock.timers.tick(100);
    await settle();
    assert.deepEqual(calls, ['state 5', 'events 1', 'state 6']);
    assert.deepEqual(
      watches.map(({ prefix, afterRevision }) => [prefix, afterRevision]),
      [
        ['/p/', 5],
        ['/p/', 6],
      ],
    );
    follower.close();
    assert.equal(stopped(), 1);
  });

  test('rejects ready() when an attempt fails, and retries by itself', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const { cache, watches } = fakeCache(3);
    const errors: string[] = [];
    const follower = new CacheFollower({
      cache,
      onState: () => undefined,
      onEvents: () => undefined,
      onError: (error) => errors.push(String(error)),
    });
    await assert.rejects(follower.ready(), /away/);
    // Who asks does not wait for the pause.
    await assert.rejects(follower.ready(), /away/);
    for (const ms of [200, 400]) {
      context.mock.timers.tick(ms);
      await settle();
    }
    assert.deepEqual([errors.length, watches.length, follower.isReady()], [3, 1, true]);
    await follower.ready();
    follower.close();
  });

  test('starts no watch when it is closed while its state is delivered', async () => {
    const { cache, watches } = fakeCache(0);
    const gate = Promise.withResolvers<void>();
    const follower = new CacheFollower({ cache, onState: () => gate.promise, onEvents: () => undefined });
    const ready = follower.ready();
    await settle();
    follower.close();
    gate.resolve();
    await ready;
    assert.deepEqual([watches.length, follower.isReady()], [0, false]);
  });
});
