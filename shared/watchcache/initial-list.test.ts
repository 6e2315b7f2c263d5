import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StorageError, type StoredKeyValue, type StorageListOptions, type Storage } from '#shared/storage/storage.ts';
import { loadInitialState } from './initial-list.ts';
import { LoadOrder } from './load-order.ts';
import type { CacheEntry } from './watch-cache.ts';

/** Answers pages of at most so many bytes; a longer one takes too long. */
function slowStorage(values: readonly Buffer[], mostBytes: number): { storage: Storage; readonly limits: number[] } {
  const all: StoredKeyValue[] = values.map(
    (value, at) =>
      ({
        key: `/a/${String(at).padStart(5, '0')}`,
        value,
        createRevision: 1,
        modRevision: at + 1,
        version: 1,
      }) as unknown as StoredKeyValue,
  );
  const limits: number[] = [];
  const list = async (
    prefix: string,
    { limit = all.length, startKey = prefix }: StorageListOptions,
  ): ReturnType<Storage['list']> => {
    limits.push(limit);
    const rest = all.filter(({ key }) => key >= startKey);
    const items = rest.slice(0, limit);
    if (items.reduce((sum, { value }) => sum + value.length, 0) > mostBytes)
      throw new StorageError('DeadlineExceeded', 'context deadline exceeded');
    return { items, revision: 7, more: rest.length > items.length } as unknown as Awaited<ReturnType<Storage['list']>>;
  };
  return { storage: { list } as unknown as Storage, limits };
}

const decode = ({ key, value }: StoredKeyValue): CacheEntry => ({
  key,
  namespace: '',
  name: key.slice(3),
  revision: 1,
  json: Buffer.from(value),
  labels: undefined,
  fields: undefined,
});

async function load(storage: Storage): Promise<number> {
  const { index } = await loadInitialState(storage, '/a/', 0, {
    decode,
    onUndecodable: () => assert.fail(),
    nextTurn: () => new LoadOrder().nextTurn(),
  });
  return index.size;
}

describe('loadInitialState', () => {
  test('requests short pages of large objects and long pages of small ones', async () => {
    const large = slowStorage(
      Array.from({ length: 300 }, () => Buffer.alloc(200_000)),
      20_000_000,
    );
    assert.equal(await load(large.storage), 300);
    assert.ok(Math.max(...large.limits.slice(1)) <= 42, String(large.limits));
    const small = slowStorage(
      Array.from({ length: 20_000 }, () => Buffer.alloc(1000)),
      20_000_000,
    );
    assert.equal(await load(small.storage), 20_000);
    assert.ok(small.limits.length <= 25, String(small.limits));
  });

  test('shortens pages that exceed the deadline, down to a single object', async () => {
    const mixed = slowStorage(
      [
        ...Array.from({ length: 3000 }, () => Buffer.alloc(10)),
        ...Array.from({ length: 20 }, () => Buffer.alloc(1_000_000)),
      ],
      1_500_000,
    );
    assert.equal(await load(mixed.storage), 3020);
    const never = slowStorage([Buffer.alloc(1_000_000)], 500_000);
    await assert.rejects(load(never.storage), { code: 'DeadlineExceeded' });
  });
});
