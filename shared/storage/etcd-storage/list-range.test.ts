import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EtcdCalls } from './calls.ts';
import { KeySpace } from './keys.ts';
import { listRange } from './list-range.ts';

interface Range {
  readonly limit: number;
  readonly revision: number;
}

/** etcd with `stored` keys at revision 7; `asked` is what was asked of it. */
function etcdWith(stored: number): { calls: EtcdCalls; asked: Range[] } {
  const all = Array.from({ length: stored }, (_, at) => Buffer.from(`/registry/a/${String(at).padStart(6, '0')}`));
  const asked: Range[] = [];
  const read = async (_method: string, request: Range & { readonly key: Buffer }): Promise<object> => {
    asked.push({ limit: request.limit, revision: request.revision });
    const rest = all.filter((key) => Buffer.compare(key, request.key) >= 0);
    const kvs = rest
      .slice(0, request.limit)
      .map((key) => ({ key, value: key, createRevision: 1, modRevision: 1, version: 1, lease: '0' }));
    return { header: { revision: 7 }, kvs, count: rest.length, more: rest.length > kvs.length };
  };
  return { calls: { read } as unknown as EtcdCalls, asked };
}

describe('listRange', () => {
  const keys = new KeySpace('/registry');

  test('reads pages of 10,000 keys, all at the revision of the first', async () => {
    const { calls, asked } = etcdWith(10_001);
    const { items, count, more, revision } = await listRange(calls, keys, '/a/', {});
    assert.deepEqual([items.length, count, more, revision], [10_001, 10_001, false, 7]);
    assert.deepEqual(asked, [
      { limit: 10_000, revision: 0 },
      { limit: 10_000, revision: 7 },
    ]);
  });

  test('reads one page when it holds all keys', async () => {
    const { calls, asked } = etcdWith(10_000);
    assert.equal((await listRange(calls, keys, '/a/', {})).items.length, 10_000);
    assert.equal(asked.length, 1);
  });

  test('asks only for what is missing to the limit', async () => {
    const { calls, asked } = etcdWith(20_000);
    const { items, more, count } = await listRange(calls, keys, '/a/', { limit: 10_500 });
    assert.deepEqual([items.length, more, count], [10_500, true, 20_000]);
    assert.deepEqual(
      asked.map(({ limit }) => limit),
      [10_000, 500],
    );
  });
});
