import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import { StorageError } from '#shared/storage/storage.ts';
import { createWatchCache } from './create-watch-cache.ts';
import type { WatchCacheOptions } from './create-watch-cache.ts';
import { decodeThing, thing } from './testing/json-entries.ts';
import { MemoryStorage } from './testing/memory-storage.ts';
import { RecordingWatch } from './testing/recording-watch.ts';
import { watchCacheContract } from './testing/watch-cache-contract.ts';
import type { WatchCache } from './watch-cache.ts';

watchCacheContract('memory', async () => new MemoryStorage());

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

describe('storage watch cache', () => {
  test('stores an offered write at its revision without decoding it again', async (t) => {
    let decoded = 0;
    const decode: WatchCacheOptions['decode'] = (kv) => {
      decoded += 1;
      return decodeThing(kv);
    };
    const { storage, cache } = await open(t, { decode });
    const value = thing({});
    const { revision } = await storage.create('/things/a/x', value);
    const entry = decodeThing({
      key: '/things/a/x',
      value,
      createRevision: revision,
      modRevision: revision,
      lease: '',
    });
    cache.offer(entry);
    await cache.waitForRevision(revision);
    assert.equal(decoded, 0);
    assert.deepEqual(cache.get('/things/a/x'), entry);
  });

  test('keeps untilHandedOut pending until watchers have the event, but not for unknown revisions', async (t) => {
    const { storage, cache } = await open(t);
    const watch = new RecordingWatch(cache);
    await storage.create('/things/a/1', thing({}));
    await watch.heard(1);
    const { revision } = await storage.create('/things/a/2', thing({}));
    await setImmediate();
    assert.equal(watch.events.length, 1, 'the event is here, and put aside until the next turn');
    await cache.untilHandedOut(revision);
    assert.equal(watch.events.length, 2);
    assert.equal(cache.untilHandedOut(revision), undefined);
    assert.equal(cache.untilHandedOut(revision + 1), undefined, 'storage has not told it');
    const last = await storage.compareAndDelete('/things/a/2', revision);
    await setImmediate();
    const handedOut = cache.untilHandedOut(last.revision);
    cache.close();
    await handedOut;
  });

  test('ignores an offered write that another write has overtaken', async (t) => {
    const { storage, cache } = await open(t);
    const { revision } = await storage.create('/things/a/x', thing({}));
    const other = await storage.compareAndSwap('/things/a/x', revision, thing({ by: 'other' }));
    cache.offer(
      decodeThing({ key: '/things/a/x', value: thing({}), createRevision: revision, modRevision: revision, lease: '' }),
    );
    await cache.waitForRevision(other.revision);
    assert.equal(cache.get('/things/a/x')?.labels?.['by'], 'other');
  });

  test('requests progress concurrently with the current revision after a write of this process', async (t) => {
    const { storage, cache } = await open(t);
    const asked: string[] = [];
    for (const name of ['currentRevision', 'requestProgress'] as const) {
      const ask = storage[name].bind(storage) as () => Promise<number>;
      storage[name] = () => {
        asked.push(name);
        return ask();
      };
    }
    await cache.waitForCurrent();
    assert.deepEqual(asked, ['currentRevision'], 'nothing was written');
    const { revision } = await storage.create('/others/a/x', thing({}));
    assert.equal(await cache.waitForCurrent(), revision);
    assert.deepEqual(asked.slice(1, 3), ['requestProgress', 'currentRevision']);
  });

  test('delivers everything to a paused watcher after it resumes', async (t) => {
    const { storage, cache } = await open(t);
    const watch = new RecordingWatch(cache);
    await storage.create('/things/a/1', thing({}));
    await watch.heard(1);
    watch.watch.pause();
    for (const name of ['2', '3']) await storage.create(`/things/a/${name}`, thing({}));
    await cache.waitForCurrent();
    assert.equal(watch.events.length, 1);
    watch.watch.resume();
    await storage.create('/things/a/4', thing({}));
    await watch.heard(4);
    assert.deepEqual(
      watch.events.map(({ entry }) => entry.name),
      ['1', '2', '3', '4'],
    );
  });

  test('loses no event of a watcher that is paused in the middle of a batch', async (t) => {
    const { storage, cache } = await open(t);
    let second: RecordingWatch | undefined = undefined as RecordingWatch | undefined;
    const first = new RecordingWatch(cache, {
      prefix: '/things/a/',
      matches: () => {
        second?.watch.pause();
        return true;
      },
    });
    second = new RecordingWatch(cache);
    await storage.create('/things/a/0', thing({}));
    await first.heard(1);
    second.watch.resume();
    await second.heard(1);
    assert.deepEqual(second.lines, first.lines);
  });

  test('closes a watcher with Overflow when it stays paused beyond the history', async (t) => {
    const { storage, cache } = await open(t, { history: { minChanges: 2, maxChanges: 2, freshMs: 0 } });
    const watch = new RecordingWatch(cache);
    await storage.create('/things/a/0', thing({}));
    await watch.heard(1);
    watch.watch.pause();
    for (const name of ['1', '2', '3']) await storage.create(`/things/a/${name}`, thing({}));
    await watch.until(() => watch.closed !== undefined);
    assert.equal(watch.closed, 'Overflow');
  });

  test('closes a watch from before the history with Expired, and has no snapshot of that revision', async (t) => {
    const { storage, cache } = await open(t, { history: { minChanges: 2, maxChanges: 2, freshMs: 0 } });
    const { revision } = await storage.create('/things/a/0', thing({}));
    for (const name of ['1', '2', '3']) await storage.create(`/things/a/${name}`, thing({}));
    await cache.waitForCurrent();
    const watch = new RecordingWatch(cache, { afterRevision: revision });
    await watch.until(() => watch.closed !== undefined);
    assert.equal(watch.closed, 'Expired');
    assert.equal(await cache.snapshotAt(revision), undefined);
  });

  test('refuses snapshots of compacted revisions that it still holds', async (t) => {
    const { storage, cache } = await open(t);
    const first = await storage.create('/things/a/1', thing({}));
    const second = await storage.create('/things/a/2', thing({}));
    await cache.waitForCurrent();
    assert.equal((await cache.snapshotAt(first.revision))?.size, 1);
    await storage.compact(second.revision);
    assert.equal(await cache.snapshotAt(first.revision), undefined);
    assert.equal((await cache.snapshotAt(second.revision))?.size, 2);
  });

  test('lists again and resets its watchers when etcd has compacted the events it missed', async (t) => {
    const { storage, cache } = await open(t);
    const watch = new RecordingWatch(cache);
    storage.holdWatches = true;
    const { revision } = await storage.create('/things/a/x', thing({}));
    storage.breakWatches();
    storage.releaseWatches();
    await watch.until(() => watch.closed !== undefined);
    assert.equal(watch.closed, 'Reset');
    assert.equal(cache.get('/things/a/x')?.revision, revision);
    await storage.create('/things/a/y', thing({}));
    await cache.waitForCurrent();
    assert.equal(cache.get('/things/a/y')?.name, 'y');
  });

  test("rejects waiting for a revision that does not come with the reference's text after 3 s", async (t) => {
    const { cache } = await open(t);
    t.mock.timers.enable({ apis: ['setInterval'] });
    let now = performance.now();
    t.mock.method(performance, 'now', () => now);
    const waiting = cache.waitForRevision(1_000);
    let isOver = false;
    waiting.catch(() => (isOver = true));
    now += 2_999;
    t.mock.timers.tick(100);
    await setImmediate();
    assert.equal(isOver, false);
    now += 1;
    t.mock.timers.tick(100);
    await assert.rejects(waiting, ({ message, status }: StatusError) => {
      assert.deepEqual([status.code, status.details?.retryAfterSeconds], [504, 1]);
      return message === 'Timeout: Too large resource version: 1000, current: 1';
    });
  });

  test('rejects a future revision at once under refusesFuture, but waits for one that storage has', async (t) => {
    const { storage, cache } = await open(t, { refusesFuture: true });
    await assert.rejects(
      cache.waitForRevision(1_000),
      (error: unknown) =>
        error instanceof StatusError &&
        error.status.details?.retryAfterSeconds === undefined &&
        error.message === 'Timeout: Too large resource version: 1000, current: 1',
    );
    const { revision } = await storage.create('/things/a/x', thing({}));
    await cache.waitForRevision(revision);
    assert.equal(cache.revision, revision);
  });

  test('delivers nothing to a watch from a future revision until that revision has passed', async (t) => {
    const { storage, cache } = await open(t);
    const watch = new RecordingWatch(cache, { afterRevision: 3 });
    for (const name of ['r2', 'r3', 'r4']) await storage.create(`/things/a/${name}`, thing({}));
    await watch.heard(1);
    assert.deepEqual(watch.lines, ['ADDED /things/a/r4@4']);
  });

  test('delivers only events of the object to a watch by key', async (t) => {
    const { storage, cache } = await open(t);
    const watch = new RecordingWatch(cache, { key: '/things/a/x' });
    for (const name of ['w', 'x', 'xy']) await storage.create(`/things/a/${name}`, thing({}));
    await storage.create('/things/b/x', thing({}));
    await cache.waitForCurrent();
    assert.deepEqual(
      watch.events.map(({ entry }) => entry.key),
      ['/things/a/x'],
    );
  });

  test('shares events among watches of the same selection', async (t) => {
    const { storage, cache } = await open(t);
    let judged = 0;
    const options = { selection: 'all', matches: () => (judged += 1) > 0 };
    const watches = [new RecordingWatch(cache, options), new RecordingWatch(cache, options)];
    await setImmediate();
    await storage.create('/things/a/x', thing({}));
    await Promise.all(watches.map((watch) => watch.heard(1)));
    assert.equal(watches[0]?.calls[0], watches[1]?.calls[0]);
    assert.equal(judged, 1);
  });

  test('reports an object that cannot be decoded, and leaves it out', async (t) => {
    const reported: string[] = [];
    const { storage, cache } = await open(t, { onUndecodable: (key) => reported.push(key) });
    await storage.create('/things/a/broken', Buffer.from('{'));
    await storage.create('/things/a/whole', thing({}));
    await cache.waitForCurrent();
    assert.deepEqual(reported, ['/things/a/broken']);
    assert.equal(cache.get('/things/a/broken'), undefined);
    assert.deepEqual([...cache.unreadable], ['/things/a/broken']);
    assert.equal(cache.get('/things/a/whole')?.name, 'whole');
    await storage.compareAndDelete('/things/a/broken', (await storage.get('/things/a/broken')).kv?.modRevision ?? 0);
    await cache.waitForCurrent();
    assert.equal(cache.unreadable.size, 0);
  });

  test('holds no more memory for an entry than its bytes', async (t) => {
    const { storage, cache } = await open(t);
    await storage.create('/things/a/x', thing({}));
    await cache.waitForCurrent();
    const json = cache.get('/things/a/x')?.json;
    assert.equal(json?.buffer.byteLength, json?.length);
  });

  test('rejects a current read with Timeout when storage is unavailable, and passes on other errors', async (t) => {
    const { storage, cache } = await open(t);
    storage.currentRevision = () => Promise.reject(new StorageError('Unavailable', 'No connection established'));
    await assert.rejects(cache.waitForCurrent(), {
      message: 'Timeout: request did not complete within the allotted timeout',
    });
    storage.currentRevision = () =>
      Promise.reject(new StorageError('Unauthenticated', 'etcdserver: permission denied'));
    await assert.rejects(cache.waitForCurrent(), { message: 'etcdserver: permission denied' });
  });
});
