import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { createWatchCache, type WatchCacheOptions } from './create-watch-cache.ts';
import { decodeThing, thing } from './testing/json-entries.ts';
import { MemoryStorage } from './testing/memory-storage.ts';
import type { WatchCache } from './watch-cache.ts';

async function open(
  t: TestContext,
  options: Partial<WatchCacheOptions> = {},
): Promise<{ storage: MemoryStorage; cache: WatchCache }> {
  const storage = new MemoryStorage();
  const cache = createWatchCache({ storage, prefix: '/things', decode: decodeThing, ...options });
  t.after(() => cache.close());
  await cache.ready();
  return { storage, cache };
}

describe('unreadable objects of a watch cache', () => {
  test('ends watches when an object cannot be read any more, and serves none from before', async (t) => {
    const { storage, cache } = await open(t);
    const { revision } = await storage.create('/things/a/x', thing({}));
    await cache.waitForCurrent();
    const events: string[] = [];
    const ended = new Promise<string>((resolve) => {
      cache.watch({
        prefix: '/things/',
        afterRevision: revision,
        initialEvents: false,
        onEvents: (changes) => events.push(...changes.map(({ type }) => type)),
        onProgress: () => undefined,
        onClose: resolve,
      });
    });
    await storage.compareAndSwap('/things/a/x', revision, Buffer.from('{'));
    assert.equal(await ended, 'Reset');
    assert.deepEqual(events, []);
    const late = new Promise<string>((resolve) => {
      cache.watch({
        prefix: '/things/',
        afterRevision: revision,
        initialEvents: false,
        onEvents: () => undefined,
        onProgress: () => undefined,
        onClose: resolve,
      });
    });
    assert.equal(await late, 'Expired');
  });

  test('serves an object again that can be read after a reload', async (t) => {
    let isReadable = false;
    const { storage, cache } = await open(t, {
      decode(kv) {
        if (!isReadable && kv.key.endsWith('/x')) throw new Error('no key for it');
        return decodeThing(kv);
      },
    });
    await storage.create('/things/a/x', thing({}));
    await cache.waitForCurrent();
    assert.deepEqual([...cache.unreadable], ['/things/a/x']);
    isReadable = true;
    await cache.reload();
    assert.equal(cache.unreadable.size, 0);
    assert.equal(cache.get('/things/a/x')?.name, 'x');
  });
});
