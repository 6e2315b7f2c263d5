import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { put } from '#servers/store/testing/contract-context.ts';
import { temporaryStore } from '#servers/store/testing/temporary-store.ts';
import { compactStore, defragmentStore, deleteKey, storeAlarms } from './maintain-store.ts';
import { withStore } from './with-store.ts';

describe('store maintenance', () => {
  test('compacts, defragments and clears alarms of a running and of a stopped store', async () => {
    await using first = await temporaryStore();
    const dataDir = join(first.folder, 'data');
    const fill = async (etcd: Parameters<typeof put>[0]): Promise<number> => {
      let revision = 0;
      for (let i = 0; i < 40; i++) revision = await put(etcd, 'k/a', 'x'.repeat(100_000));
      return revision;
    };
    for (const running of [true, false]) {
      const store = running ? undefined : await first.restart();
      if (store !== undefined) await store.store.close();
      const revision = await withStore(dataDir, fill);
      const compacted = await withStore(dataDir, (etcd) => compactStore(etcd, 0));
      assert.equal(compacted.revision, revision);
      assert.ok(compacted.afterBytes < compacted.beforeBytes / 5, JSON.stringify(compacted));
      await withStore(dataDir, (etcd) => assert.rejects(compactStore(etcd, revision + 5), /future revision/));
      const rewritten = await withStore(dataDir, defragmentStore);
      assert.ok(rewritten.afterBytes <= rewritten.beforeBytes);
      await withStore(dataDir, (etcd) => etcd.unary('Maintenance/Alarm', { action: 'ACTIVATE', alarm: 'CORRUPT' }));
      assert.deepEqual(await withStore(dataDir, (etcd) => storeAlarms(etcd, false)), ['CORRUPT']);
      assert.deepEqual(await withStore(dataDir, (etcd) => storeAlarms(etcd, true)), ['CORRUPT']);
      assert.deepEqual(await withStore(dataDir, (etcd) => storeAlarms(etcd, false)), []);
      await store?.etcd.close();
    }
  });

  test('removes one key, and says whether it was there', async () => {
    await using store = await temporaryStore();
    await put(store.etcd, '/registry/clusterroles/view', 'garbage');
    const dataDir = join(store.folder, 'data');
    const remove = (): Promise<boolean> => withStore(dataDir, (etcd) => deleteKey(etcd, '/registry/clusterroles/view'));
    assert.deepEqual([await remove(), await remove()], [true, false]);
  });

  test('refuses a directory without a store and creates nothing in it', async () => {
    await using store = await temporaryStore();
    const nowhere = join(store.folder, 'nowhere');
    await assert.rejects(
      withStore(nowhere, defragmentStore),
      /nowhere\/store\.db does not exist: name the directory of a store with --data-dir$/,
    );
    assert.equal(existsSync(nowhere), false);
  });
});
