import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CommitResult } from './commit-batch.ts';
import { DiskFullError } from './commit-thread.ts';
import { KeyIndex } from './key-index.ts';
import type { LogReader } from './log-reader.ts';
import { MvccStore } from './store.ts';

const sizes: CommitResult = { fileBytes: 0, freeBytes: 0, sealed: true, reserved: true };

/** A store whose disk answers when the test says so. */
function manualStore() {
  const asked: PromiseWithResolvers<CommitResult>[] = [];
  const published: number[] = [];
  const leased: string[] = [];
  let full = 0;
  const state = {
    index: new KeyIndex(),
    reader: { kv: () => undefined } as unknown as LogReader,
    revision: 1,
    lastId: 0,
    compactRevision: -1,
    leases: [],
    alarms: [],
    sizes,
  };
  const forgotten = Promise.withResolvers<void>();
  const ask = (): Promise<CommitResult> => {
    const answer = Promise.withResolvers<CommitResult>();
    asked.push(answer);
    return answer.promise;
  };
  const writer = { ask, commit: ask };
  const store = new MvccStore(
    state,
    writer,
    {
      onChanges: (changes) => void published.push(...changes.map((change) => change.revision)),
      onLeaseOfKey: (key, from, to) => void leased.push(`${key} ${from}>${to}`),
      onDiskFull: () => void full++,
      onTipStale: () => forgotten.promise,
      onDamage: assert.fail,
      onFatal: assert.fail,
    },
    1024,
  );
  const commitAsked = async (count: number): Promise<void> => {
    while (asked.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  return { store, asked, published, leased, commitAsked, forgotten, fullCount: () => full };
}

describe('MvccStore', () => {
  test('shows a write to later writes at once, and to reads and watchers after its commit', async () => {
    const { store, asked, published, commitAsked } = manualStore();
    const write = store.write((txn) => txn.put('k', Buffer.from('1'), '0'));
    assert.deepEqual(
      [store.revision, store.appliedRevision, store.index.get('k')?.at(store.revision)],
      [1, 2, undefined],
    );
    await commitAsked(1);
    const second = store.write((txn) => txn.put('k', Buffer.from('2'), '0'));
    assert.deepEqual([published, store.index.get('k')?.version], [[], 2]);
    asked[0]?.resolve(sizes);
    await write;
    assert.deepEqual([published, store.revision, store.index.get('k')?.at(2)?.modRevision], [[2], 2, 2]);
    await commitAsked(2);
    asked[1]?.resolve(sizes);
    await second;
    assert.deepEqual([published, store.revision], [[2, 3], 3]);
  });

  test('commits concurrent writes together', async () => {
    const { store, asked, commitAsked } = manualStore();
    const writes = ['a', 'b', 'c'].map((key) => store.write((txn) => txn.put(key, Buffer.alloc(0), '0')));
    await commitAsked(1);
    asked[0]?.resolve(sizes);
    await Promise.all(writes);
    assert.equal(asked.length, 1);
  });

  test('rolls back and refuses every uncommitted write when the disk is full', async () => {
    const { store, asked, published, leased, commitAsked, fullCount } = manualStore();
    const first = store.write((txn) => txn.put('k', Buffer.from('1'), '7'));
    await commitAsked(1);
    asked[0]?.resolve(sizes);
    await first;
    const noSpace = { message: 'etcdserver: mvcc: database space exceeded' };
    const lost = [
      store.write((txn) => txn.put('k', Buffer.from('2'), '0')),
      store.write((txn) => txn.deleteRange({ start: 'k', end: null })),
      store.write((txn) => txn.put('new', Buffer.from('3'), '0')),
      store.write(() => 'a comparison that saw the lost writes'),
    ].map((write) => assert.rejects(write, noSpace));
    await commitAsked(2);
    asked[1]?.reject(new DiskFullError('full'));
    await Promise.all(lost);
    const entry = store.index.get('k');
    assert.deepEqual(
      [entry?.modRevision, entry?.version, entry?.lease, entry?.history, store.index.size],
      [2, 1, '7', undefined, 1],
    );
    assert.deepEqual([store.revision, store.appliedRevision, published, fullCount()], [2, 2, [2], 1]);
    assert.deepEqual(leased, ['k 0>7', 'k 7>0', 'k 0>7']);
    const next = store.write((txn) => txn.put('k', Buffer.from('4'), '0'));
    await commitAsked(3);
    asked[2]?.resolve(sizes);
    await next;
    assert.equal(store.revision, 3);
  });

  test('publishes and answers a change that store.tip lacks when nobody reads that file any more', async () => {
    const { store, asked, published, commitAsked, forgotten } = manualStore();
    const write = store.write((txn) => txn.put('k', Buffer.from('1'), '0'));
    await commitAsked(1);
    asked[0]?.resolve({ ...sizes, isTipStale: true });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([published, store.revision], [[], 1]);
    forgotten.resolve();
    await write;
    assert.deepEqual([published, store.revision], [[2], 2]);
  });

  test('rolls back a transaction that throws', async () => {
    const { store } = manualStore();
    await assert.rejects(
      store.write((txn) => {
        txn.put('k', Buffer.from('1'), '0');
        throw new Error('refused');
      }),
      { message: 'refused' },
    );
    assert.deepEqual([store.index.size, store.appliedRevision], [0, 1]);
  });
});
