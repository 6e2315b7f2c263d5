import assert from 'node:assert/strict';
import type { KeyValue, RangeRequest } from '#shared/storage/etcd-wire/kv-messages.ts';
import { grpcCode } from '#shared/storage/etcd-wire/transport.ts';
import { b, endOf, list, put } from './contract-context.ts';
import type { ContractCase } from './contract-context.ts';

const keysOf = (kvs: readonly KeyValue[]): string[] => kvs.map((kv) => kv.key.toString().split('/').at(-1) as string);

export const kvContract: ContractCase[] = [
  {
    name: 'increments the revision on a put and returns revisions and version of the key',
    run: async ({ etcd, prefix }) => {
      const first = await put(etcd, `${prefix}a`, '1');
      const second = await put(etcd, `${prefix}a`, '2');
      assert.equal(second, first + 1);
      const [kv] = await list(etcd, prefix);
      assert.deepEqual(
        [kv?.createRevision, kv?.modRevision, kv?.version, kv?.value.toString(), kv?.lease],
        [first, second, 2, '2', '0'],
      );
    },
  },
  {
    name: 'returns previous values when prevKv is set',
    run: async ({ etcd, prefix }) => {
      const key = b(`${prefix}a`);
      assert.equal((await etcd.unary('KV/Put', { key, value: b('1'), prevKv: true })).prevKv, undefined);
      assert.equal((await etcd.unary('KV/Put', { key, value: b('2'), prevKv: true })).prevKv?.value.toString(), '1');
      assert.equal(
        (await etcd.unary('KV/Put', { key, ignoreValue: true, prevKv: true })).prevKv?.value.toString(),
        '2',
      );
      const deleted = await etcd.unary('KV/DeleteRange', { key, prevKv: true });
      assert.deepEqual(
        [deleted.deleted, deleted.prevKvs[0]?.value.toString(), deleted.prevKvs[0]?.version],
        [1, '2', 3],
      );
      const nothing = await etcd.unary('KV/DeleteRange', { key, prevKv: true });
      assert.deepEqual(
        [nothing.deleted, nothing.prevKvs.length, nothing.header?.revision],
        [0, 0, deleted.header?.revision],
      );
    },
  },
  {
    name: 'applies limit, keysOnly and countOnly to a range and returns more and count',
    run: async ({ etcd, prefix }) => {
      for (const name of ['a', 'b', 'c', 'd']) await put(etcd, prefix + name, name.repeat(3));
      const range = (extra: Partial<RangeRequest>) =>
        etcd.unary('KV/Range', { key: b(prefix), rangeEnd: endOf(prefix), ...extra });
      const limited = await range({ limit: 3 });
      assert.deepEqual([keysOf(limited.kvs), limited.more, limited.count], [['a', 'b', 'c'], true, 4]);
      const all = await range({ limit: 4 });
      assert.deepEqual([all.kvs.length, all.more, all.count], [4, false, 4]);
      const keysOnly = await range({ keysOnly: true });
      assert.deepEqual(
        keysOnly.kvs.map((kv) => [kv.value.length, kv.version]),
        [
          [0, 1],
          [0, 1],
          [0, 1],
          [0, 1],
        ],
      );
      const counted = await range({ countOnly: true, limit: 2 });
      assert.deepEqual([counted.kvs.length, counted.more, counted.count], [0, false, 4]);
      const open = await etcd.unary('KV/Range', { key: b(`${prefix}c`), rangeEnd: Buffer.from([0]), limit: 2 });
      assert.deepEqual(keysOf(open.kvs), ['c', 'd']);
      const empty = await etcd.unary('KV/Range', { key: b(`${prefix}d`), rangeEnd: b(`${prefix}a`) });
      assert.equal(empty.count, 0);
    },
  },
  {
    name: 'sorts a range by every target in both orders before it applies the limit',
    run: async ({ etcd, prefix }) => {
      await put(etcd, `${prefix}a`, 'z');
      await put(etcd, `${prefix}b`, 'y');
      await put(etcd, `${prefix}c`, 'x');
      await put(etcd, `${prefix}a`, 'z');
      await put(etcd, `${prefix}a`, 'z');
      await put(etcd, `${prefix}b`, 'y');
      const expected = { KEY: 'abc', VERSION: 'cba', CREATE: 'abc', MOD: 'cab', VALUE: 'cba' } as const;
      for (const [sortTarget, order] of Object.entries(expected)) {
        const ask = async (extra: Partial<RangeRequest>): Promise<string> =>
          keysOf(
            (
              await etcd.unary('KV/Range', {
                key: b(prefix),
                rangeEnd: endOf(prefix),
                sortTarget: sortTarget as keyof typeof expected,
                ...extra,
              })
            ).kvs,
          ).join('');
        assert.equal(await ask({ sortOrder: 'ASCEND' }), order, sortTarget);
        assert.equal(await ask({ sortOrder: 'DESCEND' }), [...order].toReversed().join(''), sortTarget);
        assert.equal(await ask({ sortOrder: 'DESCEND', limit: 1 }), order[2], sortTarget);
        assert.equal(await ask({}), order, `${sortTarget} unsorted`);
      }
    },
  },
  {
    name: 'filters a range by mod and create revision and counts the whole range',
    run: async ({ etcd, prefix }) => {
      const a = await put(etcd, `${prefix}a`);
      const second = await put(etcd, `${prefix}b`);
      const c = await put(etcd, `${prefix}c`);
      const a2 = await put(etcd, `${prefix}a`);
      const ask = async (extra: Partial<RangeRequest>): Promise<[string, number]> => {
        const answer = await etcd.unary('KV/Range', { key: b(prefix), rangeEnd: endOf(prefix), ...extra });
        return [keysOf(answer.kvs).join(''), answer.count];
      };
      assert.deepEqual(await ask({ minModRevision: c }), ['ac', 3]);
      assert.deepEqual(await ask({ maxModRevision: c }), ['bc', 3]);
      assert.deepEqual(await ask({ minCreateRevision: second, maxCreateRevision: second }), ['b', 3]);
      assert.deepEqual(await ask({ minModRevision: a2 + 1 }), ['', 3]);
      assert.ok(a < a2);
    },
  },
  {
    name: 'reads values, deletions and counts at old revisions',
    run: async ({ etcd, prefix }) => {
      const one = await put(etcd, `${prefix}a`, '1');
      const two = await put(etcd, `${prefix}a`, '2');
      await etcd.unary('KV/DeleteRange', { key: b(`${prefix}a`) });
      const again = await put(etcd, `${prefix}a`, '3');
      const at = async (revision: number): Promise<unknown[]> => {
        const answer = await etcd.unary('KV/Range', { key: b(prefix), rangeEnd: endOf(prefix), revision });
        return [answer.count, answer.kvs[0]?.value.toString(), answer.kvs[0]?.version, answer.kvs[0]?.createRevision];
      };
      assert.deepEqual(await at(one), [1, '1', 1, one]);
      assert.deepEqual(await at(two), [1, '2', 2, one]);
      assert.deepEqual(await at(two + 1), [0, undefined, undefined, undefined]);
      assert.deepEqual(await at(again), [1, '3', 1, again]);
      const keysOnly = await etcd.unary('KV/Range', { key: b(`${prefix}a`), revision: two, keysOnly: true });
      assert.deepEqual([keysOnly.kvs[0]?.version, keysOnly.kvs[0]?.value.length], [2, 0]);
    },
  },
  {
    name: 'refuses invalid requests with the codes and texts of etcd',
    run: async ({ etcd, prefix }) => {
      const invalid = (message: string): object => ({ code: grpcCode.invalidArgument, message });
      const key = b(`${prefix}a`);
      await assert.rejects(etcd.unary('KV/Range', { key: b('') }), invalid('etcdserver: key is not provided'));
      await assert.rejects(etcd.unary('KV/Put', { key: b('') }), invalid('etcdserver: key is not provided'));
      await assert.rejects(etcd.unary('KV/DeleteRange', { key: b('') }), invalid('etcdserver: key is not provided'));
      await assert.rejects(etcd.unary('KV/Put', { key, ignoreValue: true }), invalid('etcdserver: key not found'));
      await assert.rejects(etcd.unary('KV/Put', { key, ignoreLease: true }), invalid('etcdserver: key not found'));
      await assert.rejects(
        etcd.unary('KV/Put', { key, value: b('v'), ignoreValue: true }),
        invalid('etcdserver: value is provided'),
      );
      await assert.rejects(
        etcd.unary('KV/Put', { key, lease: '5', ignoreLease: true }),
        invalid('etcdserver: lease is provided'),
      );
      await assert.rejects(etcd.unary('KV/Put', { key, lease: '123456' }), {
        code: grpcCode.notFound,
        message: 'etcdserver: requested lease not found',
      });
      await assert.rejects(
        etcd.unary('KV/Put', { key, value: Buffer.alloc(1536 * 1024) }),
        invalid('etcdserver: request is too large'),
      );
      const revision = (await put(etcd, `${prefix}b`)) + 1000;
      await assert.rejects(etcd.unary('KV/Range', { key, revision }), {
        code: grpcCode.outOfRange,
        message: 'etcdserver: mvcc: required revision is a future revision',
      });
      await assert.rejects(etcd.unary('KV/Compact', { revision }), {
        code: grpcCode.outOfRange,
        message: 'etcdserver: mvcc: required revision is a future revision',
      });
    },
  },
  {
    name: 'refuses revisions below a compaction and keeps the newest values',
    run: async ({ etcd, prefix }) => {
      const compacted = {
        code: grpcCode.outOfRange,
        message: 'etcdserver: mvcc: required revision has been compacted',
      };
      const first = await put(etcd, `${prefix}a`, '1');
      const second = await put(etcd, `${prefix}a`, '2');
      await etcd.unary('KV/DeleteRange', { key: b(`${prefix}gone`) });
      await etcd.unary('KV/Compact', { revision: second, physical: true });
      await assert.rejects(etcd.unary('KV/Range', { key: b(`${prefix}a`), revision: first }), compacted);
      await assert.rejects(etcd.unary('KV/Compact', { revision: second }), compacted);
      assert.equal(
        (await etcd.unary('KV/Range', { key: b(`${prefix}a`), revision: second })).kvs[0]?.value.toString(),
        '2',
      );
      assert.equal((await list(etcd, prefix))[0]?.value.toString(), '2');
    },
  },
  {
    name: 'returns every key of a range of 1,200 keys once',
    run: async ({ etcd, prefix }) => {
      const names = Array.from({ length: 1200 }, (_, i) => `${prefix}${String(i).padStart(5, '0')}`);
      await Promise.all(names.map((name) => put(etcd, name, name)));
      const answer = await etcd.unary('KV/Range', { key: b(prefix), rangeEnd: endOf(prefix) });
      assert.equal(answer.count, names.length);
      assert.deepEqual(
        answer.kvs.map((kv) => kv.value.toString()),
        names,
      );
      const deleted = await etcd.unary('KV/DeleteRange', { key: b(prefix), rangeEnd: endOf(prefix) });
      assert.equal(deleted.deleted, names.length);
      assert.equal(deleted.header?.revision, (answer.header?.revision as number) + 1);
    },
  },
];
