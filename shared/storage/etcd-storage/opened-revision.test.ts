import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EtcdTransport } from '#shared/storage/etcd-wire/transport.ts';
import { EtcdStorage } from './etcd-storage.ts';

/** The `openedRevision` of a storage whose etcd stands at `revision` when it is first asked and further on later. */
async function openedAt(revision: number): Promise<number> {
  let asked = 0;
  const transport: Pick<EtcdTransport, 'unary' | 'close'> = {
    unary: async () => ({ header: { revision: revision + 10 * asked++ } }) as never,
    close: async () => {},
  };
  const storage = new EtcdStorage({ transport: transport as EtcdTransport, prefix: '/registry' });
  try {
    await storage.ready(1_000);
    await storage.ready(1_000);
    return storage.openedRevision;
  } finally {
    await storage.close();
  }
}

describe('EtcdStorage.openedRevision', () => {
  test('is 1 for a new storage, even after other processes wrote up to 500 revisions', async () => {
    assert.equal(await openedAt(1), 1);
    assert.equal(await openedAt(500), 1);
  });

  test('is the current revision for an older storage', async () => {
    assert.equal(await openedAt(501), 501);
    assert.equal(await openedAt(20_000), 20_000);
  });
});
