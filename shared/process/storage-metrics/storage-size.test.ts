import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sampleLines } from '#shared/observability/exposition/testing/sample-lines.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { sizeByAddress, storageSize } from './storage-size.ts';

function storageWith(databaseBytes: Storage['databaseBytes']): Storage {
  return { databaseBytes } as unknown as Storage;
}

const away = (): Promise<never> => Promise.reject(new Error('away'));

describe('storageSize', () => {
  test('shows the size of each etcd that answers', async () => {
    const family = storageSize([storageWith(async () => 10), storageWith(away), storageWith(async () => 20)]);
    await family.refresh?.();
    assert.deepEqual(sampleLines(family), [
      'apiserver_storage_size_bytes{storage_cluster_id="etcd-0"} 10',
      'apiserver_storage_size_bytes{storage_cluster_id="etcd-2"} 20',
    ]);
  });
});

describe('sizeByAddress', () => {
  test('asks each address once in an interval, and shows -1 where it does not answer', async () => {
    let asked = 0;
    const one = { endpoint: 'http://one', ask: async () => ++asked };
    const family = sizeByAddress([one, { endpoint: 'http://two', ask: away }], 60_000);
    await family.refresh?.();
    await family.refresh?.();
    assert.deepEqual(sampleLines(family), [
      'apiserver_storage_db_total_size_in_bytes{endpoint="http://one"} 1',
      'apiserver_storage_db_total_size_in_bytes{endpoint="http://two"} -1',
    ]);
  });

  test('asks nobody before it is shown', () => {
    sizeByAddress([{ endpoint: 'http://one', ask: () => assert.fail('asked') }], 1);
  });
});
