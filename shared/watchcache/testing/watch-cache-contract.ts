import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { Storage } from '#shared/storage/storage.ts';
import { createWatchCache } from '#shared/watchcache/create-watch-cache.ts';
import type { WatchCache } from '#shared/watchcache/watch-cache.ts';
import { decodeThing, thing } from './json-entries.ts';
import { RecordingWatch } from './recording-watch.ts';

/** Opens a storage without keys below `/things/`; the suite closes it. */
export type OpenStorage = () => Promise<Storage>;

/** The tests that every {@link WatchCache} must pass, over any storage. */
export function watchCacheContract(name: string, open: OpenStorage): void {
  const withCache = (title: string, body: (cache: WatchCache, storage: Storage) => Promise<void>): void => {
    test(title, { timeout: 20_000 }, async (t: TestContext) => {
      const storage = await open();
      const cache = createWatchCache({ storage, prefix: '/things', decode: decodeThing });
      t.after(async () => {
        cache.close();
        await storage.close();
      });
      await body(cache, storage);
    });
  };

  describe(`watch cache contract over ${name}`, () => {
    withCache('shows objects that were stored before it began', async (cache, storage) => {
      await storage.create('/things/a/one', thing({}));
      await cache.ready();
      assert.equal(cache.get('/things/a/one')?.name, 'one');
      assert.equal(cache.get('/things/a/two'), undefined);
    });

    withCache('shows a consistent read every write that was acknowledged before it', async (cache, storage) => {
      await cache.ready();
      for (let i = 0; i < 20; i++) {
        const { revision } = await storage.create(`/things/a/n${i}`, thing({}));
        assert.ok((await cache.waitForCurrent()) >= revision);
        assert.equal(cache.get(`/things/a/n${i}`)?.revision, revision);
      }
    });

    withCache('does not delay a consistent read for writes to other resources', async (cache, storage) => {
      await cache.ready();
      const { revision } = await storage.create('/others/x', thing({}));
      assert.ok((await cache.waitForCurrent()) >= revision);
      assert.ok(cache.revision >= revision);
    });

    withCache('delivers creation, change and deletion to a watch in order', async (cache, storage) => {
      await cache.ready();
      const watch = new RecordingWatch(cache);
      const created = await storage.create('/things/a/x', thing({}));
      const changed = await storage.compareAndSwap('/things/a/x', created.revision, thing({ v: '2' }));
      const deleted = await storage.compareAndDelete('/things/a/x', changed.revision);
      await watch.heard(3);
      assert.deepEqual(watch.lines, [
        `ADDED /things/a/x@${created.revision}`,
        `MODIFIED /things/a/x@${changed.revision}`,
        `DELETED /things/a/x@${deleted.revision}`,
      ]);
      assert.match(String(watch.events[2]?.entry.json), new RegExp(`"resourceVersion":"${deleted.revision}"`));
    });

    withCache('delivers exactly the changes after its revision to a watch', async (cache, storage) => {
      await cache.ready();
      const first = await storage.create('/things/a/1', thing({}));
      const second = await storage.create('/things/a/2', thing({}));
      await cache.waitForRevision(second.revision);
      const watch = new RecordingWatch(cache, { afterRevision: first.revision });
      const third = await storage.create('/things/a/3', thing({}));
      await watch.heard(2);
      assert.deepEqual(watch.lines, [`ADDED /things/a/2@${second.revision}`, `ADDED /things/a/3@${third.revision}`]);
    });

    withCache('delivers initial events before all others and reports their end', async (cache, storage) => {
      await storage.create('/things/a/1', thing({}));
      await storage.create('/things/b/2', thing({}));
      await cache.ready();
      const at = cache.revision;
      const watch = new RecordingWatch(cache, { initialEvents: true });
      await storage.create('/things/a/3', thing({}));
      await watch.heard(3);
      assert.deepEqual(
        watch.events.map(({ entry }) => entry.name),
        ['1', '2', '3'],
      );
      assert.equal(watch.initialDoneAt, at);
    });

    withCache('delivers ADDED or DELETED when an object enters or leaves the selection', async (cache, storage) => {
      await cache.ready();
      const watch = new RecordingWatch(cache, {
        matches: (entry) => entry.labels?.['on'] === 'yes',
        selection: 'on=yes',
      });
      let { revision } = await storage.create('/things/a/x', thing({ on: 'no' }));
      const types = ['yes', 'yes', 'no'];
      for (const on of types) ({ revision } = await storage.compareAndSwap('/things/a/x', revision, thing({ on })));
      await watch.heard(3);
      assert.deepEqual(
        watch.events.map(({ type }) => type),
        ['ADDED', 'MODIFIED', 'DELETED'],
      );
      assert.equal(watch.events[2]?.entry.labels?.['on'], 'yes');
      assert.match(String(watch.events[2]?.entry.json), new RegExp(`"resourceVersion":"${revision}"`));
    });

    withCache('keeps a snapshot at its revision while writes go on', async (cache, storage) => {
      const first = await storage.create('/things/a/1', thing({}));
      await cache.ready();
      const before = cache.snapshot();
      await storage.create('/things/a/2', thing({}));
      await storage.compareAndDelete('/things/a/1', first.revision);
      await cache.waitForCurrent();
      const names = (entries: Iterable<{ name: string }>): string[] => [...entries].map(({ name: own }) => own);
      assert.deepEqual(names(before.entries('/things/')), ['1']);
      assert.deepEqual(names(cache.snapshot().entries('/things/')), ['2']);
      assert.deepEqual(names((await cache.snapshotAt(before.revision))?.entries('/things/') ?? []), ['1']);
      assert.deepEqual(names((await cache.snapshotAt(before.revision + 1))?.entries('/things/') ?? []), ['1', '2']);
    });

    withCache('delivers the changes of one transaction at one revision and in one call', async (cache, storage) => {
      await cache.ready();
      const watch = new RecordingWatch(cache);
      const done = await storage.transact([
        { key: '/things/a/1', expectedRevision: 0, value: thing({}) },
        { key: '/things/a/2', expectedRevision: 0, value: thing({}) },
      ]);
      await watch.heard(2);
      assert.deepEqual(
        watch.events.map(({ revision }) => revision),
        [done.revision, done.revision],
      );
      assert.equal(watch.calls.length, 1);
    });
  });
}
