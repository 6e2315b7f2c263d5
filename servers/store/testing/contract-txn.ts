import assert from 'node:assert/strict';
import type { Compare, RequestOp, TxnRequest } from '#shared/storage/etcd-wire/kv-messages.ts';
import { grpcCode } from '#shared/storage/etcd-wire/transport.ts';
import { b, endOf, list, put } from './contract-context.ts';
import type { ContractCase } from './contract-context.ts';

const putOp = (key: string, value = ''): RequestOp => ({ requestPut: { key: b(key), value: b(value) } });
const deleteOp = (key: string, rangeEnd?: string): RequestOp => ({
  requestDeleteRange: { key: b(key), rangeEnd: rangeEnd === undefined ? undefined : b(rangeEnd) },
});
const getOp = (key: string): RequestOp => ({ requestRange: { key: b(key) } });

export const txnContract: ContractCase[] = [
  {
    name: 'runs the success branch of a matching comparison and the failure branch otherwise',
    run: async ({ etcd, prefix }) => {
      const key = `${prefix}a`;
      const revision = await put(etcd, key, '1');
      const request: TxnRequest = {
        compare: [{ target: 'MOD', result: 'EQUAL', key: b(key), modRevision: revision }],
        success: [putOp(key, '2')],
        failure: [getOp(key)],
      };
      const won = await etcd.unary('KV/Txn', request);
      assert.deepEqual(
        [won.succeeded, won.header?.revision, won.responses[0]?.responsePut?.header?.revision],
        [true, revision + 1, revision + 1],
      );
      const lost = await etcd.unary('KV/Txn', request);
      assert.deepEqual(
        [lost.succeeded, lost.header?.revision, lost.responses[0]?.responseRange?.kvs[0]?.value.toString()],
        [false, revision + 1, '2'],
      );
    },
  },
  {
    name: 'compares every target with every operator, on a present and on a missing key',
    run: async ({ etcd, prefix }) => {
      const lease = (await etcd.unary('Lease/LeaseGrant', { ttl: 600 })).id;
      const revision = await put(etcd, `${prefix}a`, 'm', lease);
      const holds = async (compare: Compare): Promise<boolean> =>
        (await etcd.unary('KV/Txn', { compare: [compare] })).succeeded;
      const cases: [Compare['target'], Partial<Compare>, Partial<Compare>, Partial<Compare>][] = [
        ['VERSION', { version: 0 }, { version: 1 }, { version: 2 }],
        ['CREATE', { createRevision: revision - 1 }, { createRevision: revision }, { createRevision: revision + 1 }],
        ['MOD', { modRevision: revision - 1 }, { modRevision: revision }, { modRevision: revision + 1 }],
        ['VALUE', { value: b('l') }, { value: b('m') }, { value: b('n') }],
        ['LEASE', { lease: (BigInt(lease) - 1n).toString() }, { lease }, { lease: (BigInt(lease) + 1n).toString() }],
      ];
      for (const [target, below, equal, above] of cases) {
        const outcome = async (with_: Partial<Compare>): Promise<boolean[]> =>
          Promise.all(
            (['EQUAL', 'GREATER', 'LESS', 'NOT_EQUAL'] as const).map((result) =>
              holds({ key: b(`${prefix}a`), target, result, ...with_ }),
            ),
          );
        assert.deepEqual(await outcome(below), [false, true, false, true], `${target} below`);
        assert.deepEqual(await outcome(equal), [true, false, false, false], `${target} equal`);
        assert.deepEqual(await outcome(above), [false, false, true, true], `${target} above`);
      }
      assert.equal(await holds({ key: b(`${prefix}none`), target: 'MOD', result: 'EQUAL', modRevision: 0 }), true);
      assert.equal(await holds({ key: b(`${prefix}none`), target: 'LEASE', result: 'EQUAL', lease: '0' }), true);
      assert.equal(await holds({ key: b(`${prefix}none`), target: 'VALUE', result: 'EQUAL', value: b('') }), false);
      assert.equal(
        await holds({ key: b(`${prefix}none`), target: 'VALUE', result: 'NOT_EQUAL', value: b('x') }),
        false,
      );
    },
  },
  {
    name: 'requires a comparison over a range to hold for every key',
    run: async ({ etcd, prefix }) => {
      await put(etcd, `${prefix}a`, 'same');
      await put(etcd, `${prefix}b`, 'same');
      const same = async (): Promise<boolean> =>
        (
          await etcd.unary('KV/Txn', {
            compare: [{ target: 'VALUE', result: 'EQUAL', key: b(prefix), rangeEnd: endOf(prefix), value: b('same') }],
          })
        ).succeeded;
      assert.equal(await same(), true);
      await put(etcd, `${prefix}c`, 'other');
      assert.equal(await same(), false);
    },
  },
  {
    name: 'runs the operations of a transaction at one revision, each after those before it',
    run: async ({ etcd, prefix }) => {
      await put(etcd, `${prefix}old`, 'x');
      const before = await put(etcd, `${prefix}keep`, 'k');
      const answer = await etcd.unary('KV/Txn', {
        success: [
          getOp(`${prefix}new`),
          putOp(`${prefix}new`, 'n'),
          getOp(`${prefix}new`),
          deleteOp(`${prefix}old`),
          getOp(`${prefix}old`),
          putOp(`${prefix}new2`, 'n2'),
        ],
      });
      assert.equal(answer.header?.revision, before + 1);
      assert.deepEqual(
        answer.responses.map((r) => r.responseRange?.count ?? r.responseDeleteRange?.deleted ?? 'put'),
        [0, 'put', 1, 1, 0, 'put'],
      );
      assert.deepEqual(
        answer.responses.map((r) => (r.responseRange ?? r.responseDeleteRange ?? r.responsePut)?.header?.revision),
        [before, before + 1, before + 1, before + 1, before + 1, before + 1],
      );
      assert.deepEqual(
        (await list(etcd, prefix)).map((kv) => kv.modRevision),
        [before, before + 1, before + 1],
      );
    },
  },
  {
    name: 'compares a nested transaction with the state before the outer one and runs it in place',
    run: async ({ etcd, prefix }) => {
      const answer = await etcd.unary('KV/Txn', {
        success: [
          putOp(`${prefix}a`, '1'),
          {
            requestTxn: {
              compare: [{ target: 'VERSION', result: 'EQUAL', key: b(`${prefix}a`), version: 0 }],
              success: [putOp(`${prefix}b`), getOp(`${prefix}a`)],
              failure: [putOp(`${prefix}c`)],
            },
          },
        ],
      });
      const nested = answer.responses[1]?.responseTxn;
      assert.equal(nested?.succeeded, true);
      assert.equal(nested?.responses[1]?.responseRange?.kvs[0]?.value.toString(), '1');
      assert.deepEqual(
        (await list(etcd, prefix)).map((kv) => kv.key.toString().slice(-1)),
        ['a', 'b'],
      );
    },
  },
  {
    name: 'refuses a key written twice in one branch and allows it in different branches',
    run: async ({ etcd, prefix }) => {
      const duplicate = { code: grpcCode.invalidArgument, message: 'etcdserver: duplicate key given in txn request' };
      const a = `${prefix}a`;
      const nested = (success: RequestOp[], failure: RequestOp[] = []): RequestOp => ({
        requestTxn: { success, failure },
      });
      for (const success of [
        [putOp(a), putOp(a)],
        [putOp(a), deleteOp(a)],
        [deleteOp(prefix, endOf(prefix).toString()), putOp(a)],
        [putOp(a), nested([putOp(a)])],
        [nested([putOp(a)]), nested([putOp(a)])],
        [deleteOp(a), nested([], [putOp(a)])],
        [nested([deleteOp(a)]), putOp(a)],
      ]) {
        await assert.rejects(etcd.unary('KV/Txn', { success }), duplicate, JSON.stringify(success));
        await assert.rejects(etcd.unary('KV/Txn', { failure: success }), duplicate);
      }
      await etcd.unary('KV/Txn', { success: [putOp(a)], failure: [putOp(a)] });
      await etcd.unary('KV/Txn', {
        success: [nested([putOp(a)], [putOp(a)]), deleteOp(`${prefix}b`), deleteOp(`${prefix}b`)],
      });
    },
  },
  {
    name: 'changes nothing when it refuses a transaction',
    run: async ({ etcd, prefix }) => {
      const before = await put(etcd, `${prefix}a`, '1');
      const bad: RequestOp = { requestPut: { key: b(`${prefix}b`), lease: '424242' } };
      await assert.rejects(etcd.unary('KV/Txn', { success: [putOp(`${prefix}a`, '2'), bad] }), {
        code: grpcCode.notFound,
      });
      await assert.rejects(
        etcd.unary('KV/Txn', {
          success: [putOp(`${prefix}a`, '2'), { requestRange: { key: b('x'), revision: before + 1000 } }],
        }),
        { code: grpcCode.outOfRange },
      );
      await assert.rejects(etcd.unary('KV/Txn', { success: [{}] }), {
        code: grpcCode.invalidArgument,
        message: 'etcdserver: key not found',
      });
      const many = Array.from({ length: 129 }, (_, i) => putOp(`${prefix}${i}`));
      await assert.rejects(etcd.unary('KV/Txn', { success: many }), {
        code: grpcCode.invalidArgument,
        message: 'etcdserver: too many operations in txn request',
      });
      const [kv, ...others] = await list(etcd, prefix);
      assert.deepEqual([kv?.value.toString(), kv?.modRevision, others.length], ['1', before, 0]);
      assert.equal(await put(etcd, `${prefix}c`), before + 1);
    },
  },
];
