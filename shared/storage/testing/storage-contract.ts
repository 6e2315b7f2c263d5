import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { StorageError } from '#shared/storage/storage.ts';
import type { Storage, StorageEvent, StorageErrorCode } from '#shared/storage/storage.ts';
import { recordWatch } from './record-watch.ts';

const bytes = (text: string): Buffer => Buffer.from(text);
const text = (value: Uint8Array | undefined): string | undefined =>
  value === undefined ? undefined : Buffer.from(value).toString();

function failsWith(code: StorageErrorCode): (error: unknown) => boolean {
  return (error) => error instanceof StorageError && error.code === code;
}

function line(event: StorageEvent): string {
  return event.type === 'put'
    ? `put ${event.kv.key.split('/').at(-1)}@${event.kv.modRevision}`
    : `delete ${event.key.split('/').at(-1)}@${event.revision}`;
}

/**
 * The tests that every {@link Storage} must pass. `open` connects to a store that stays up for the whole suite; each
 * test uses its own prefix.
 */
export function storageContract(name: string, open: () => Promise<Storage>): void {
  const withStorage = (title: string, body: (storage: Storage, prefix: string) => Promise<void>): void => {
    test(title, { timeout: 20_000 }, async (t) => {
      const storage = await open();
      t.after(() => storage.close());
      await body(storage, `/contract-${randomUUID()}/`);
    });
  };
  describe(`storage contract of ${name}`, () => {
    pointOperations(withStorage);
    conditionalWrites(withStorage);
    lists(withStorage);
    watches(withStorage);
  });
}

type WithStorage = (title: string, body: (storage: Storage, prefix: string) => Promise<void>) => void;

function pointOperations(withStorage: WithStorage): void {
  withStorage('reads back a created key', async (storage, prefix) => {
    const { revision } = await storage.create(`${prefix}a`, bytes('one'));
    const { kv, revision: readAt } = await storage.get(`${prefix}a`);
    assert.deepEqual(
      [kv?.key, text(kv?.value), kv?.createRevision, kv?.modRevision, kv?.lease],
      [`${prefix}a`, 'one', revision, revision, ''],
    );
    assert.ok(readAt >= revision);
  });

  withStorage('returns the revision without a value for a missing key', async (storage, prefix) => {
    const { kv, revision } = await storage.get(`${prefix}a`);
    assert.equal(kv, undefined);
    assert.ok(revision > 0);
  });

  withStorage('rejects creating a key twice with KeyExists', async (storage, prefix) => {
    await storage.create(`${prefix}a`, bytes('one'));
    await assert.rejects(storage.create(`${prefix}a`, bytes('two')), failsWith('KeyExists'));
    assert.equal(text((await storage.get(`${prefix}a`)).kv?.value), 'one');
  });

  withStorage(
    'attaches a lease to a key with a TTL, and shares it among keys of the same TTL',
    async (storage, prefix) => {
      for (const key of ['a', 'b']) await storage.create(`${prefix}${key}`, bytes(key), { ttlSeconds: 3_600 });
      const [a, b] = await Promise.all([storage.get(`${prefix}a`), storage.get(`${prefix}b`)]);
      assert.notEqual(a.kv?.lease, '');
      assert.equal(a.kv?.lease, b.kv?.lease);
    },
  );

  withStorage('returns a current revision not below that of any acknowledged write', async (storage, prefix) => {
    const { revision } = await storage.create(`${prefix}a`, bytes('one'));
    const revisions = await Promise.all([
      storage.currentRevision(),
      storage.currentRevision(),
      storage.currentRevision(),
    ]);
    for (const current of revisions) assert.ok(current >= revision);
  });
}

function conditionalWrites(withStorage: WithStorage): void {
  withStorage('replaces the value in a swap at the right revision', async (storage, prefix) => {
    const { revision } = await storage.create(`${prefix}a`, bytes('one'));
    const result = await storage.compareAndSwap(`${prefix}a`, revision, bytes('two'));
    assert.ok(result.ok && result.revision > revision);
    assert.equal(text((await storage.get(`${prefix}a`)).kv?.value), 'two');
  });

  withStorage('returns the present state from a swap at the wrong revision', async (storage, prefix) => {
    const { revision } = await storage.create(`${prefix}a`, bytes('one'));
    const result = await storage.compareAndSwap(`${prefix}a`, revision + 100_000, bytes('two'));
    assert.ok(!result.ok);
    assert.deepEqual([text(result.current?.value), result.current?.modRevision], ['one', revision]);
  });

  withStorage('returns no state from a swap of a missing key', async (storage, prefix) => {
    const result = await storage.compareAndSwap(`${prefix}a`, 1, bytes('two'));
    assert.ok(!result.ok && result.current === undefined);
  });

  withStorage('deletes only at the right revision', async (storage, prefix) => {
    const { revision } = await storage.create(`${prefix}a`, bytes('one'));
    const wrong = await storage.compareAndDelete(`${prefix}a`, revision + 100_000);
    assert.ok(!wrong.ok && wrong.current?.modRevision === revision);
    assert.ok((await storage.compareAndDelete(`${prefix}a`, revision)).ok);
    const gone = await storage.compareAndDelete(`${prefix}a`, revision);
    assert.ok(!gone.ok && gone.current === undefined);
    assert.ok(!(await storage.compareAndDelete(`${prefix}a`, 0)).ok);
  });

  withStorage(
    'writes all of a transaction or nothing, and names the key that did not match',
    async (storage, prefix) => {
      const { revision } = await storage.create(`${prefix}a`, bytes('one'));
      const done = await storage.transact([
        { key: `${prefix}a`, expectedRevision: revision, checkOnly: true },
        { key: `${prefix}b`, expectedRevision: 0, value: bytes('b') },
      ]);
      assert.ok(done.ok);
      const refused = await storage.transact([
        { key: `${prefix}a`, expectedRevision: revision },
        { key: `${prefix}b`, expectedRevision: 0, value: bytes('other') },
      ]);
      assert.deepEqual([refused.ok, refused.ok ? '' : refused.failedKey], [false, `${prefix}b`]);
      assert.equal(text((await storage.get(`${prefix}a`)).kv?.value), 'one');
      const removed = await storage.transact([{ key: `${prefix}a` }, { key: `${prefix}c`, value: bytes('c') }]);
      assert.ok(removed.ok);
      assert.equal((await storage.get(`${prefix}a`)).kv, undefined);
    },
  );

  withStorage('lets exactly one of many concurrent swaps from one revision succeed', async (storage, prefix) => {
    const { revision } = await storage.create(`${prefix}a`, bytes('0'));
    const results = await Promise.all(
      Array.from({ length: 16 }, (_, i) => storage.compareAndSwap(`${prefix}a`, revision, bytes(String(i)))),
    );
    assert.equal(results.filter(({ ok }) => ok).length, 1);
  });
}

function lists(withStorage: WithStorage): void {
  withStorage('lists keys in order and below the prefix only', async (storage, prefix) => {
    for (const key of ['b/2', 'a/1', 'b/1', 'c/1']) await storage.create(prefix + key, bytes(key));
    const { items, count, more } = await storage.list(`${prefix}b/`);
    assert.deepEqual(
      items.map((kv) => text(kv.value)),
      ['b/1', 'b/2'],
    );
    assert.deepEqual([count, more], [2, false]);
  });

  withStorage('returns in pages at one revision the state of that revision', async (storage, prefix) => {
    for (const key of ['a', 'b', 'c']) await storage.create(prefix + key, bytes(key));
    const first = await storage.list(prefix, { limit: 2 });
    assert.deepEqual([first.items.length, first.count, first.more], [2, 3, true]);
    await storage.create(`${prefix}bb`, bytes('late'));
    const second = await storage.list(prefix, { limit: 2, startKey: `${prefix}b\0`, revision: first.revision });
    assert.deepEqual(
      second.items.map((kv) => text(kv.value)),
      ['c'],
    );
    assert.deepEqual([second.revision, second.count, second.more], [first.revision, 1, false]);
  });

  withStorage('counts keys without returning them', async (storage, prefix) => {
    for (const key of ['a/1', 'a/2', 'b/1']) await storage.create(prefix + key, bytes(key));
    const { items, count } = await storage.list(`${prefix}a/`, { onlyCount: true });
    assert.deepEqual([items.length, count], [0, 2]);
  });

  withStorage('lists keys with their revisions alone, in pages', async (storage, prefix) => {
    const revisions: number[] = [];
    for (const key of ['a/1', 'a/2', 'a/3', 'b/1'])
      revisions.push((await storage.create(prefix + key, bytes(key))).revision);
    const { items, more } = await storage.list(`${prefix}a/`, { onlyKeys: true, limit: 2 });
    assert.deepEqual(
      items.map(({ key, modRevision, value, failure }) => [key, modRevision, value.length, failure]),
      [
        [`${prefix}a/1`, revisions[0], 0, undefined],
        [`${prefix}a/2`, revisions[1], 0, undefined],
      ],
    );
    assert.equal(more, true);
  });

  withStorage('tells the size of its database', async (storage) => {
    assert.ok((await storage.databaseBytes(5_000)) > 0);
  });

  withStorage('rejects a list at a future revision', async (storage, prefix) => {
    const revision = (await storage.currentRevision()) + 100_000;
    await assert.rejects(storage.list(prefix, { revision }), failsWith('FutureRevision'));
  });

  withStorage('rejects a list at a compacted revision', async (storage, prefix) => {
    const { revision } = await storage.create(`${prefix}a`, bytes('1'));
    const second = await storage.create(`${prefix}b`, bytes('2'));
    await storage.compact(second.revision);
    await assert.rejects(storage.list(prefix, { revision }), failsWith('Compacted'));
  });
}

function watches(withStorage: WithStorage): void {
  withStorage('delivers every change below the prefix to a watch, in order', async (storage, prefix) => {
    const from = (await storage.currentRevision()) + 1;
    const watch = recordWatch(storage, `${prefix}in/`, from);
    const put = await storage.create(`${prefix}in/a`, bytes('1'));
    await storage.create(`${prefix}out/a`, bytes('1'));
    const swapped = await storage.compareAndSwap(`${prefix}in/a`, put.revision, bytes('2'));
    const deleted = await storage.compareAndDelete(`${prefix}in/a`, swapped.revision);
    await watch.heard(3);
    assert.deepEqual(watch.events.map(line), [
      `put a@${put.revision}`,
      `put a@${swapped.revision}`,
      `delete a@${deleted.revision}`,
    ]);
  });

  withStorage(
    'delivers the changes since its revision to a watch from the past, and none before',
    async (storage, prefix) => {
      await storage.create(`${prefix}a`, bytes('1'));
      const second = await storage.create(`${prefix}b`, bytes('1'));
      const third = await storage.create(`${prefix}c`, bytes('1'));
      const watch = recordWatch(storage, prefix, second.revision);
      await watch.heard(2);
      assert.deepEqual(watch.events.map(line), [`put b@${second.revision}`, `put c@${third.revision}`]);
    },
  );

  withStorage('delivers the changes of one transaction in one call', async (storage, prefix) => {
    const watch = recordWatch(storage, prefix, (await storage.currentRevision()) + 1);
    await storage.transact(
      ['a', 'b', 'c'].map((key) => ({ key: prefix + key, expectedRevision: 0, value: bytes(key) })),
    );
    await watch.heard(3);
    assert.equal(watch.calls, 1);
  });

  withStorage('delivers deletions alone to a watch that wants no others', async (storage, prefix) => {
    const { revision: first } = await storage.create(`${prefix}a`, bytes('1'));
    const watch = recordWatch(storage, prefix, first, { onlyDeletions: true });
    await storage.create(`${prefix}b`, bytes('1'));
    const { revision } = await storage.compareAndDelete(`${prefix}a`, first);
    await watch.heard(1);
    assert.deepEqual(watch.events.map(line), [`delete a@${revision}`]);
    assert.equal(watch.isOpen, true);
    watch.close();
    assert.equal(watch.isOpen, false);
  });

  withStorage('reports progress on request, also right after a quiet watch began', async (storage, prefix) => {
    const current = await storage.currentRevision();
    const watch = recordWatch(storage, prefix, current + 1);
    await watch.progressTo(current);
    const { revision } = await storage.create(`/elsewhere${prefix}a`, bytes('1'));
    await watch.progressTo(revision);
    assert.equal(watch.events.length, 0);
  });

  withStorage('ends a watch from a compacted revision with Compacted', async (storage, prefix) => {
    const first = await storage.create(`${prefix}a`, bytes('1'));
    for (const key of ['b', 'c']) await storage.create(prefix + key, bytes('1'));
    await storage.compact(await storage.currentRevision());
    const watch = recordWatch(storage, prefix, first.revision);
    await watch.ended();
    assert.equal(watch.error?.code, 'Compacted');
  });

  withStorage('reports progress to other watches after one ended with Compacted', async (storage, prefix) => {
    const first = await storage.create(`${prefix}a`, bytes('1'));
    for (const key of ['b', 'c']) await storage.create(prefix + key, bytes('1'));
    const current = await storage.currentRevision();
    await storage.compact(current);
    const watch = recordWatch(storage, prefix, current + 1);
    await recordWatch(storage, prefix, first.revision).ended();
    const { revision } = await storage.create(`/elsewhere${prefix}a`, bytes('1'));
    await watch.progressTo(revision);
  });

  withStorage('delivers nothing to a closed watch while others go on', async (storage, prefix) => {
    const from = (await storage.currentRevision()) + 1;
    const closed = recordWatch(storage, prefix, from);
    const open = recordWatch(storage, prefix, from);
    await storage.create(`${prefix}a`, bytes('1'));
    await Promise.all([closed.heard(1), open.heard(1)]);
    closed.close();
    await storage.create(`${prefix}b`, bytes('1'));
    await open.heard(2);
    assert.equal(closed.events.length, 1);
  });
}
