import assert from 'node:assert/strict';
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createStorage } from '#shared/storage/create/create-storage.ts';
import type { FrameTransport } from '#shared/storage/etcd-wire/frame-transport.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { tipTrustedMs, type TipOffer } from '#shared/storage/tip/tip-offer.ts';
import { TipReader } from '#shared/storage/tip/tip-reader.ts';
import { readTip } from './mvcc/durable-tip.ts';
import { startStore } from './start/start-store.ts';
import { b, endOf, put } from './testing/contract-context.ts';
import { temporaryStore, type TemporaryStore } from './testing/temporary-store.ts';

const isLinux = process.platform === 'linux';
const writes = 50;

async function offerOf(etcd: FrameTransport): Promise<TipOffer | undefined> {
  const { header: _, ...offer } = await etcd.unary('Store/Tip', {});
  return offer.path === '' ? undefined : offer;
}

/** Trusts an offer for as long as the test runs, as a process might that was stopped in between. */
function trusting(): TipReader {
  return new TipReader(() => 0);
}

const tipOf = ({ folder }: TemporaryStore): string => join(folder, 'data', 'store.tip');

async function timed<T>(work: Promise<T>): Promise<{ took: number; value: T }> {
  const began = performance.now();
  const value = await work;
  return { took: performance.now() - began, value };
}

describe('the tip of a store', { skip: !isLinux && 'only Linux names its boots' }, () => {
  for (const unsafeNoFsync of [false, true])
    test(`has each revision before its writer is answered${unsafeNoFsync ? ', without flushes' : ''}`, async () => {
      await using rig = await temporaryStore({ unsafeNoFsync });
      const reader = trusting();
      reader.take(await offerOf(rig.etcd), 0);
      assert.equal(reader.newest(), 1);
      for (let left = writes; left > 0; left--) {
        const acknowledged = await put(rig.etcd, `k/${left}`);
        assert.ok((reader.newest() ?? 0) >= acknowledged);
      }
      assert.equal(readTip(tipOf(rig)), unsafeNoFsync ? undefined : writes + 1);
      reader.close();
    });

  test('is the same file after a restart, so that readers of before see what is written then', async () => {
    await using first = await temporaryStore();
    await put(first.etcd, 'k/a');
    const reader = trusting();
    const offer = await offerOf(first.etcd);
    reader.take(offer, 0);
    await using second = await first.restart();
    const acknowledged = await put(second.etcd, 'k/b');
    assert.equal(reader.newest(), acknowledged);
    const now = await offerOf(second.etcd);
    assert.equal(now?.inode, offer?.inode);
    assert.notDeepEqual(now?.nonce, offer?.nonce);
    reader.close();
  });

  for (const [what, replace] of [
    ['removed', (tip: string) => rmSync(tip)],
    [
      'replaced by a copy',
      (tip: string) => {
        copyFileSync(tip, `${tip}-copy`);
        renameSync(`${tip}-copy`, tip);
      },
    ],
  ] as const)
    test(`was ${what}: the next store serves nobody while readers may trust the file of before`, async () => {
      await using first = await temporaryStore();
      await put(first.etcd, 'k/a');
      const reader = trusting();
      reader.take(await offerOf(first.etcd), 0);
      replace(tipOf(first));
      const { took, value: second } = await timed(first.restart());
      await using _ = second;
      assert.ok(took >= tipTrustedMs, `it served after ${took} ms`);
      const acknowledged = await put(second.etcd, 'k/b');
      assert.equal(reader.newest(), acknowledged - 1);
      reader.take(await offerOf(second.etcd), 0);
      assert.equal(reader.newest(), acknowledged);
      reader.close();
    });

  test('may be ahead of the store: a read at a revision that is being written waits for it', async () => {
    await using rig = await temporaryStore();
    const range = { key: b('k/'), rangeEnd: endOf('k/') };
    const [written, read, future] = await Promise.allSettled([
      put(rig.etcd, 'k/a'),
      rig.etcd.unary('KV/Range', { ...range, revision: 2 }),
      rig.etcd.unary('KV/Range', { ...range, revision: 3 }),
    ]);
    assert.equal(written.status === 'fulfilled' && written.value, 2);
    assert.equal(read.status === 'fulfilled' && read.value.kvs[0]?.modRevision, 2);
    assert.match(String(future.status === 'rejected' && future.reason), /future revision/);
  });

  test('is read by storage in place of a call, no longer than the store answers or its watches are open', async () => {
    await using rig = await temporaryStore();
    const dataDir = join(rig.folder, 'other');
    const framesSocketPath = join(rig.folder, 'other.sock');
    const store = await startStore({ dataDir, listenUnixSocket: framesSocketPath });
    const [storage, watching] = [1, 2].map(() => createStorage({ framesSocketPath, callTimeoutMs: 3_000 })) as [
      Storage,
      Storage,
    ];
    try {
      const watch = watching.watch('/', 1, {
        onEvents: () => undefined,
        onProgress: () => undefined,
        onError: assert.fail,
      });
      while (!watch.isOpen) await pause(5);
      const { revision } = await storage.create('/a', Buffer.from('1'));
      const asked = performance.now();
      await Promise.all([storage.currentRevision(), watching.currentRevision()]);
      await store.close();
      // The store is gone, and no other one can have acknowledged anything yet.
      const told = await storage.currentRevision().catch(() => undefined);
      if (performance.now() - asked < tipTrustedMs / 2) assert.equal(told, revision);
      while (watch.isOpen) await pause(5);
      const lost = assert.rejects(watching.currentRevision(), { name: 'StorageError' });
      await pause(tipTrustedMs);
      await Promise.all([lost, assert.rejects(storage.currentRevision(), { name: 'StorageError' })]);
    } finally {
      await Promise.all([storage.close(), watching.close()]);
    }
  });
});
