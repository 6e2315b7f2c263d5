import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { grpcCode } from '#shared/storage/etcd-wire/transport.ts';
import { b, put } from './contract-context.ts';
import type { ContractCase } from './contract-context.ts';

export const maintenanceContract: ContractCase[] = [
  {
    name: 'returns version, sizes, leader and errors as status',
    run: async ({ etcd, prefix }) => {
      await put(etcd, `${prefix}a`);
      const status = await etcd.unary('Maintenance/Status', {});
      assert.equal(status.version, '3.6.5');
      assert.equal(status.leader, status.header?.memberId);
      assert.ok(
        status.dbSize > 0 && status.dbSizeInUse <= status.dbSize && status.raftTerm > 0 && status.raftIndex > 0,
      );
      assert.deepEqual([status.errors, status.isLearner], [[], false]);
    },
  },
  {
    name: 'refuses puts and allows deletions during a NOSPACE alarm',
    run: async ({ etcd, prefix }) => {
      const noSpace = { code: grpcCode.resourceExhausted, message: 'etcdserver: mvcc: database space exceeded' };
      const key = b(`${prefix}a`);
      await put(etcd, `${prefix}a`);
      const memberId = (await etcd.unary('Maintenance/Status', {})).leader;
      const raised = await etcd.unary('Maintenance/Alarm', { action: 'ACTIVATE', alarm: 'NOSPACE', memberId });
      assert.deepEqual(raised.alarms, [{ memberId, alarm: 'NOSPACE' }]);
      await assert.rejects(etcd.unary('KV/Put', { key }), noSpace);
      await assert.rejects(etcd.unary('KV/Txn', { failure: [{ requestPut: { key } }] }), noSpace);
      await assert.rejects(etcd.unary('Lease/LeaseGrant', { ttl: 10 }), noSpace);
      assert.equal((await etcd.unary('KV/DeleteRange', { key })).deleted, 1);
      assert.equal((await etcd.unary('Maintenance/Alarm', { action: 'GET' })).alarms.length, 1);
      assert.equal((await etcd.unary('Maintenance/Status', {})).errors.length, 1);
      await etcd.unary('Maintenance/Alarm', { action: 'DEACTIVATE', alarm: 'NOSPACE', memberId });
      assert.equal((await etcd.unary('Maintenance/Alarm', { action: 'GET' })).alarms.length, 0);
      await put(etcd, `${prefix}a`);
    },
  },
  {
    name: 'refuses all writes during a CORRUPT alarm',
    run: async ({ etcd, prefix }) => {
      const corrupt = { code: grpcCode.dataLoss, message: 'etcdserver: corrupt cluster' };
      const key = b(`${prefix}a`);
      await put(etcd, `${prefix}a`);
      const memberId = (await etcd.unary('Maintenance/Status', {})).leader;
      await etcd.unary('Maintenance/Alarm', { action: 'ACTIVATE', alarm: 'CORRUPT', memberId });
      await assert.rejects(etcd.unary('KV/Put', { key }), corrupt);
      await assert.rejects(etcd.unary('KV/DeleteRange', { key }), corrupt);
      await assert.rejects(etcd.unary('KV/Txn', { success: [{ requestPut: { key } }] }), corrupt);
      await assert.rejects(etcd.unary('Lease/LeaseGrant', { ttl: 10 }), corrupt);
      await etcd.unary('Maintenance/Alarm', { action: 'DEACTIVATE', alarm: 'CORRUPT', memberId });
      await put(etcd, `${prefix}a`);
    },
  },
  {
    name: 'returns equal hashes for one revision and different hashes after a write',
    run: async ({ etcd, prefix }) => {
      const revision = await put(etcd, `${prefix}a`);
      const one = await etcd.unary('Maintenance/HashKV', {});
      await put(etcd, `${prefix}b`);
      const two = await etcd.unary('Maintenance/HashKV', {});
      const again = await etcd.unary('Maintenance/HashKV', { revision });
      assert.notEqual(one.hash, two.hash);
      assert.deepEqual([again.hash, again.hashRevision], [one.hash, revision]);
      assert.ok((await etcd.unary('Maintenance/Hash', {})).hash > 0);
    },
  },
  {
    name: 'keeps the data on defragmentation',
    run: async ({ etcd, prefix }) => {
      await put(etcd, `${prefix}a`, '1');
      await etcd.unary('Maintenance/Defragment', {});
      assert.equal((await etcd.unary('KV/Range', { key: b(`${prefix}a`) })).kvs[0]?.value.toString(), '1');
    },
  },
  {
    name: 'ends a snapshot with the SHA-256 digest of its data',
    run: async ({ etcd, prefix }) => {
      await put(etcd, `${prefix}a`, 'x'.repeat(100_000));
      const blobs: Buffer[] = [];
      const error = await new Promise((resolve) => {
        const stream = etcd.stream('Maintenance/Snapshot', {
          onMessage: (message) => blobs.push(Buffer.from(message.blob)),
          onEnd: resolve,
        });
        stream.write({});
        stream.end();
      });
      assert.equal(error, undefined);
      const digest = blobs.pop();
      const data = Buffer.concat(blobs);
      assert.ok(data.length > 100_000);
      assert.deepEqual(digest, createHash('sha256').update(data).digest());
    },
  },
  {
    name: 'lists one member, refuses to move the leader and reports authentication as off',
    run: async ({ etcd }) => {
      const { members, header } = await etcd.unary('Cluster/MemberList', {});
      assert.deepEqual(
        members.map((member) => [member.id, member.name, member.isLearner]),
        [[header?.memberId, 'default', false]],
      );
      await assert.rejects(etcd.unary('Maintenance/MoveLeader', { targetId: '1' }), {
        code: grpcCode.failedPrecondition,
        message: 'etcdserver: bad leader transferee',
      });
      assert.equal((await etcd.unary('Auth/AuthStatus', {})).enabled, false);
    },
  },
];
