import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EtcdTransport } from '#shared/storage/etcd-wire/transport.ts';
import { EtcdStorage } from './etcd-storage.ts';

/** The `resumeRevision` of a storage whose etcd stands at `revision` when it is first asked and further on later. */
async function resumedAt(revision: number): Promise<number> {
  let asked = 0;
  const transport: Pick<EtcdTransport, 'unary' | 'close'> = {
    unary: async () => ({ header: { revision: revision + 10 * asked++ } }) as never,
    close: async () => {},
  };
  const storage = new EtcdStorage({ transport: transport as EtcdTransport, prefix: '/registry' });
  try {
    await storage.ready(1_000);
    await storage.ready(1_000);
    return storage.resumeRevision;
  } finally {
    await storage.close();
  }
}

describe('EtcdStorage.resumeRevision', () => {
  test('is 1 for a new storage, even after other processes wrote up to 1,000 revisions', async () => {
    assert.equal(await resumedAt(1), 1);
    assert.equal(await resumedAt(1_001), 1);
  });

  test('is 1,000 revisions before the first answer for an older storage', async () => {
    assert.equal(await resumedAt(1_002), 2);
    assert.equal(await resumedAt(20_000), 19_000);
  });
});
