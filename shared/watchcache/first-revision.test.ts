import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createWatchCache } from './create-watch-cache.ts';
import { decodeThing, thing } from './testing/json-entries.ts';
import { MemoryStorage } from './testing/memory-storage.ts';
import { RecordingWatch } from './testing/recording-watch.ts';

describe('createWatchCache with firstRevision', () => {
  test('serves watches from the revision at which storage was opened, although the cache fills later', async (t) => {
    const storage = new MemoryStorage();
    await storage.create('/things/a/old', thing({}));
    await storage.ready();
    for (const name of ['1', '2']) await storage.create(`/things/a/${name}`, thing({}));
    const cache = createWatchCache({
      storage,
      prefix: '/things',
      decode: decodeThing,
      firstRevision: async () => storage.resumeRevision,
    });
    t.after(() => cache.close());
    await cache.ready();
    assert.equal(cache.revision, await storage.currentRevision());
    const watch = new RecordingWatch(cache, { afterRevision: storage.resumeRevision });
    await watch.heard(2);
    assert.deepEqual(
      watch.events.map(({ entry }) => entry.name),
      ['1', '2'],
    );
    assert.ok(cache.get('/things/a/old') !== undefined);
  });

  test('starts at the newest revision when the first is compacted', async (t) => {
    const storage = new MemoryStorage();
    await storage.ready();
    for (const name of ['1', '2']) await storage.create(`/things/a/${name}`, thing({}));
    await storage.compact(await storage.currentRevision());
    const errors: unknown[] = [];
    const cache = createWatchCache({
      storage,
      prefix: '/things',
      decode: decodeThing,
      reportError: (error) => errors.push(error),
      firstRevision: async () => 1,
    });
    t.after(() => cache.close());
    await cache.ready();
    assert.deepEqual(errors, []);
    assert.equal(cache.revision, await storage.currentRevision());
  });

  test('starts at a recent revision when the first is compacted, and serves watches from there', async (t) => {
    const storage = new MemoryStorage();
    const revisions: number[] = [];
    for (const name of ['1', '2', '3']) revisions.push((await storage.create(`/things/a/${name}`, thing({}))).revision);
    const [, second = 0] = revisions;
    await storage.compact(second);
    const cache = createWatchCache({
      storage,
      prefix: '/things',
      decode: decodeThing,
      firstRevision: async () => 1,
    });
    t.after(() => cache.close());
    await cache.ready();
    const watch = new RecordingWatch(cache, { afterRevision: second });
    await watch.heard(1);
    assert.deepEqual(
      watch.events.map(({ entry }) => entry.name),
      ['3'],
    );
  });

  test('is not ready before it has the writes since the first revision, although storage fails meanwhile', async (t) => {
    const storage = new MemoryStorage();
    await storage.create('/things/a/old', thing({}));
    const failed = t.mock.method(storage, 'currentRevision', () => Promise.reject(new Error('no answer')), {
      times: 1,
    });
    const readyWhenItFailed: boolean[] = [];
    const cache = createWatchCache({
      storage,
      prefix: '/things',
      decode: decodeThing,
      reportError: () => readyWhenItFailed.push(cache.isReady()),
      firstRevision: async () => 1,
    });
    t.after(() => cache.close());
    await cache.ready();
    assert.equal(failed.mock.callCount(), 1);
    assert.deepEqual(readyWhenItFailed, [false]);
    assert.ok(cache.isReady());
    assert.ok(cache.get('/things/a/old') !== undefined);
  });
});
