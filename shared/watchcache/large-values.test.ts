import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createWatchCache, type WatchCacheOptions } from './create-watch-cache.ts';
import { decodeThing, thing } from './testing/json-entries.ts';
import { MemoryStorage } from './testing/memory-storage.ts';
import { RecordingWatch } from './testing/recording-watch.ts';

const large = thing({ filler: 'x'.repeat(100_000) });

/** A cache whose large values are decoded in steps; `began` and `ended` tell how many. */
async function open(options: Partial<WatchCacheOptions> = {}) {
  const storage = new MemoryStorage();
  const counts = { began: 0, ended: 0, atOnce: 0 };
  const cache = createWatchCache({
    storage,
    prefix: '/things',
    decode: (kv) => {
      counts.atOnce++;
      return decodeThing(kv);
    },
    *decodeInSteps(kv) {
      counts.began++;
      for (let turns = 0; turns < 5; turns++) yield setImmediate();
      counts.ended++;
      return decodeThing(kv);
    },
    ...options,
  });
  await cache.ready();
  return { storage, cache, counts };
}

describe('watch cache with decodeInSteps', () => {
  test('decodes a large value in steps and delivers the events behind it afterwards', async () => {
    const { storage, cache, counts } = await open();
    const watch = new RecordingWatch(cache);
    const first = await storage.create('/things/a/1', large);
    const second = await storage.create('/things/a/2', thing({}));
    while (counts.began === 0) await setImmediate();
    const gone = await storage.compareAndDelete('/things/a/2', second.revision);
    assert.deepEqual([counts.ended, watch.lines], [0, []]);
    assert.equal(await cache.waitForCurrent(), gone.revision);
    assert.deepEqual(watch.lines, [
      `ADDED /things/a/1@${first.revision}`,
      `ADDED /things/a/2@${second.revision}`,
      `DELETED /things/a/2@${gone.revision}`,
    ]);
    assert.deepEqual(counts, { began: 1, ended: 1, atOnce: 1 });
    cache.close();
  });

  test('does not decode a large value that this process wrote', async () => {
    const { storage, cache, counts } = await open();
    const { revision } = await storage.create('/things/a/x', large);
    const kv = { key: '/things/a/x', value: large, createRevision: revision, modRevision: revision, lease: '' };
    cache.offer(decodeThing(kv));
    await cache.waitForRevision(revision);
    assert.deepEqual(counts, { began: 0, ended: 0, atOnce: 0 });
    cache.close();
  });

  test('reports a large value that cannot be decoded once, and goes on', async () => {
    const told: string[] = [];
    const { storage, cache } = await open({
      onUndecodable: (key) => told.push(key),
      *decodeInSteps() {
        yield setImmediate();
        throw new Error('not a thing');
      },
    });
    await storage.create('/things/a/1', large);
    await storage.create('/things/a/2', thing({}));
    await cache.waitForCurrent();
    assert.deepEqual(told, ['/things/a/1']);
    assert.deepEqual([cache.get('/things/a/1'), cache.get('/things/a/2')?.name], [undefined, '2']);
    cache.close();
  });

  test('delivers nothing when it is closed while decoding', async () => {
    const { storage, cache, counts } = await open();
    const watch = new RecordingWatch(cache);
    await storage.create('/things/a/1', large);
    while (counts.began === 0) await setImmediate();
    cache.close();
    while (counts.ended === 0) await setImmediate();
    for (let turns = 0; turns < 5; turns++) await setImmediate();
    assert.deepEqual(watch.lines, []);
  });
});
