import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apiServerId } from '#shared/process/api-server-id.ts';
import { IdentityLease, isExpired, type SendToCore } from './identity-lease.ts';

describe('isExpired', () => {
  test('is true after leaseDurationSeconds, and without a renewTime or spec', () => {
    const now = Date.parse('2026-01-01T01:00:00Z');
    assert.equal(
      isExpired(
        { metadata: { name: 'a' }, spec: { renewTime: '2026-01-01T00:00:00.000000Z', leaseDurationSeconds: 3600 } },
        now,
      ),
      false,
    );
    assert.equal(
      isExpired(
        { metadata: { name: 'a' }, spec: { renewTime: '2026-01-01T00:00:00.000000Z', leaseDurationSeconds: 3599 } },
        now,
      ),
      true,
    );
    assert.equal(isExpired({ metadata: { name: 'a' }, spec: { leaseDurationSeconds: 3600 } }, now), true);
    assert.equal(isExpired({ metadata: { name: 'a' } }, now), true);
  });
});

describe('IdentityLease', () => {
  test('keeps labels and annotations that others wrote when it renews the Lease', async () => {
    const written = Promise.withResolvers<unknown>();
    const present = {
      metadata: { name: 'a', labels: { other: 'l' }, annotations: { other: 'a' } },
      spec: { leaseDurationSeconds: 3600 },
    };
    const send: SendToCore = async (method, _target, object) => {
      if (method === 'PUT') written.resolve(object);
      return { status: 200, body: present };
    };
    const lease = new IdentityLease(
      { hostname: 'machine', instance: 1, peerAddress: '192.0.2.1:6443' },
      send,
      (error) => written.reject(error),
    );
    lease.start();
    const { metadata } = (await written.promise) as typeof present;
    lease.close();
    assert.deepEqual(metadata.labels, {
      other: 'l',
      'apiserver.kubernetes.io/identity': 'kube-apiserver',
      'kubernetes.io/hostname': 'machine',
    });
    assert.deepEqual(metadata.annotations, { other: 'a', 'kubernetes.io/peer-advertise-address': '192.0.2.1:6443' });
  });

  test('does not remove the own Lease of a run more than an hour ago, and writes it anew when another gateway does', async () => {
    const sent: string[] = [];
    const done = Promise.withResolvers<void>();
    const id = apiServerId('machine');
    const own = {
      metadata: { name: id, uid: 'u', resourceVersion: '3' },
      spec: { renewTime: '2000-01-01T00:00:00.000000Z', leaseDurationSeconds: 3600 },
    };
    let isGone = false;
    const send: SendToCore = async (method, target, object) => {
      sent.push(method);
      if (target.includes('labelSelector')) return { status: 200, body: { items: [own] } };
      if (method === 'GET') return isGone ? { status: 404, body: {} } : { status: 200, body: own };
      if (method === 'POST') done.resolve();
      // Another gateway removes it between the read and the write.
      isGone = true;
      return method === 'POST' ? { status: 201, body: object } : { status: 404, body: {} };
    };
    const lease = new IdentityLease({ hostname: 'machine', instance: 1 }, send, (error) => done.reject(error));
    lease.startCollecting();
    lease.start();
    await done.promise;
    lease.close();
    assert.deepEqual(sent, ['GET', 'GET', 'PUT', 'GET', 'POST']);
  });

  test('creates the Lease once, and deletes expired Leases of other gateways', async () => {
    const sent: string[] = [];
    const done = Promise.withResolvers<void>();
    const old = {
      metadata: { name: 'apiserver-old', uid: 'u', resourceVersion: '3' },
      spec: { renewTime: '2000-01-01T00:00:00.000000Z', leaseDurationSeconds: 3600 },
    };
    const send: SendToCore = async (method, target, object) => {
      sent.push(`${method} ${target.replace(/.*\/leases/, '')}${method === 'DELETE' ? JSON.stringify(object) : ''}`);
      if (sent.length === 4) done.resolve();
      if (method === 'POST') return { status: 201, body: object };
      if (method === 'DELETE') return { status: 200, body: {} };
      return target.includes('labelSelector') ? { status: 200, body: { items: [old] } } : { status: 404, body: {} };
    };
    const lease = new IdentityLease({ hostname: 'machine', instance: 1 }, send, (error) => done.reject(error));
    lease.start();
    lease.startCollecting();
    await done.promise;
    lease.close();
    assert.deepEqual(sent.toSorted(), [
      'DELETE /apiserver-old{"preconditions":{"uid":"u","resourceVersion":"3"}}',
      `GET /${apiServerId('machine')}`,
      'GET ?labelSelector=apiserver.kubernetes.io%2Fidentity%3Dkube-apiserver',
      'POST ',
    ]);
  });
});
