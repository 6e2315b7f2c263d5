import assert from 'node:assert/strict';
import type { LeaseKeepAliveResponse } from '#shared/storage/etcd-wire/lease-messages.ts';
import { grpcCode } from '#shared/storage/etcd-wire/transport.ts';
import { b, endOf, list, put, WatchProbe } from './contract-context.ts';
import type { ContractCase } from './contract-context.ts';

const notFound = { code: grpcCode.notFound, message: 'etcdserver: requested lease not found' };

export const leaseContract: ContractCase[] = [
  {
    name: 'grants a lease with the given id once, refuses too large TTLs and lists it',
    run: async ({ etcd }) => {
      const id = String(7_000_000_000_000_000_000n + BigInt(Math.floor(Math.random() * 1e9)));
      const granted = await etcd.unary('Lease/LeaseGrant', { id, ttl: 100 });
      assert.deepEqual([granted.id, granted.ttl], [id, 100]);
      await assert.rejects(etcd.unary('Lease/LeaseGrant', { id, ttl: 100 }), {
        code: grpcCode.failedPrecondition,
        message: 'etcdserver: lease already exists',
      });
      await assert.rejects(etcd.unary('Lease/LeaseGrant', { ttl: 9_000_000_001 }), {
        code: grpcCode.outOfRange,
        message: 'etcdserver: too large lease TTL',
      });
      const { leases } = await etcd.unary('Lease/LeaseLeases', {});
      assert.ok(leases.some((lease) => lease.id === id));
      await etcd.unary('Lease/LeaseRevoke', { id });
    },
  },
  {
    name: 'deletes the keys of a revoked lease at one revision',
    run: async ({ etcd, prefix }) => {
      const { id } = await etcd.unary('Lease/LeaseGrant', { ttl: 100 });
      await put(etcd, `${prefix}a`, '1', id);
      await put(etcd, `${prefix}b`, '1', id);
      await put(etcd, `${prefix}c`, '1', id);
      const last = await put(etcd, `${prefix}c`, '2');
      const probe = new WatchProbe(etcd);
      await probe.create({ key: b(prefix), rangeEnd: endOf(prefix) });
      const revoked = await etcd.unary('Lease/LeaseRevoke', { id });
      assert.equal(revoked.header?.revision, last + 1);
      const response = await probe.next();
      probe.close();
      assert.deepEqual(
        response.events.map((event) => [event.type, event.kv?.key.toString(), event.kv?.modRevision]),
        [
          ['DELETE', `${prefix}a`, last + 1],
          ['DELETE', `${prefix}b`, last + 1],
        ],
      );
      assert.deepEqual(
        (await list(etcd, prefix)).map((kv) => kv.key.toString()),
        [`${prefix}c`],
      );
      await assert.rejects(etcd.unary('Lease/LeaseRevoke', { id }), notFound);
    },
  },
  {
    name: 'returns the remaining time to live and the keys of a lease',
    run: async ({ etcd, prefix }) => {
      const { id } = await etcd.unary('Lease/LeaseGrant', { ttl: 100 });
      await put(etcd, `${prefix}a`, '1', id);
      const answer = await etcd.unary('Lease/LeaseTimeToLive', { id, keys: true });
      assert.ok(answer.ttl >= 97 && answer.ttl <= 100);
      assert.deepEqual([answer.grantedTtl, answer.keys.map(String)], [100, [`${prefix}a`]]);
      assert.equal((await etcd.unary('Lease/LeaseTimeToLive', { id })).keys.length, 0);
      const missing = await etcd.unary('Lease/LeaseTimeToLive', { id: '999' });
      assert.deepEqual([missing.id, missing.ttl, missing.grantedTtl], ['999', -1, 0]);
    },
  },
  {
    name: 'answers a keep-alive with the TTL, and with 0 for an unknown lease',
    run: async ({ etcd }) => {
      const { id } = await etcd.unary('Lease/LeaseGrant', { ttl: 100 });
      const answers: LeaseKeepAliveResponse[] = [];
      await new Promise<void>((resolve) => {
        const stream = etcd.stream('Lease/LeaseKeepAlive', {
          onMessage: (message) => {
            if (answers.push(message) === 2) stream.end();
          },
          onEnd: () => resolve(),
        });
        stream.write({ id });
        stream.write({ id: '12345' });
      });
      assert.deepEqual(
        answers.map((answer) => [answer.id, answer.ttl]),
        [
          [id, 100],
          ['12345', 0],
        ],
      );
    },
  },
  {
    name: 'deletes a lease that is not renewed and its keys',
    run: async ({ etcd, prefix }) => {
      const { id, ttl } = await etcd.unary('Lease/LeaseGrant', { ttl: 1 });
      assert.equal(ttl, 2);
      const probe = new WatchProbe(etcd);
      await probe.create({ key: b(prefix), rangeEnd: endOf(prefix) });
      await put(etcd, `${prefix}a`, '1', id);
      assert.deepEqual(await probe.events(2), [`PUT ${prefix}a=1`, `DELETE ${prefix}a`]);
      probe.close();
    },
  },
];
