import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Storage } from '#shared/storage/storage.ts';
import { HealthChecks } from './health.ts';
import { storageCheck } from './storage-check.ts';

describe('HealthChecks', () => {
  test("lists checks in the reference's order, in whatever order they were added", () => {
    const health = new HealthChecks();
    for (const name of ['shutdown', 'autoregister-completion', 'core', 'informer-sync', 'etcd'])
      health.add({ name, check: () => undefined });
    health.addPostStartHook('bootstrap-controller', async () => {});
    health.addPostStartHook('rbac/bootstrap-roles', async () => {});
    assert.deepEqual(health.names('readyz'), [
      'ping',
      'log',
      'etcd',
      'core',
      'informer-sync',
      'poststarthook/rbac/bootstrap-roles',
      'poststarthook/bootstrap-controller',
      'autoregister-completion',
      'shutdown',
    ]);
  });

  test('leaves checks of the aggregator out at /livez within the grace period, and no others', async () => {
    const failing = async (graceMs: number): Promise<readonly string[]> => {
      const health = new HealthChecks(graceMs);
      health.addPostStartHook('rbac/bootstrap-roles', async () => {});
      health.addPostStartHook('kube-apiserver-autoregistration', async () => {});
      health.add({ name: 'autoregister-completion', check: () => 'missing' });
      const results = await health.run('livez');
      assert.equal((await health.run('readyz')).filter(({ reason }) => reason !== '').length, 3);
      return results.flatMap(({ name, reason }) => (reason === '' ? [] : [name]));
    };
    assert.deepEqual(await failing(60_000), ['poststarthook/rbac/bootstrap-roles']);
    assert.equal((await failing(0)).length, 3);
  });

  test('fails a check by what another process says of it, unless it fails by itself', async () => {
    const health = new HealthChecks();
    let [own, other]: (string | undefined)[] = [undefined, undefined];
    health.join('kms-providers', () => other);
    health.add({ name: 'kms-providers', check: () => own });
    const reason = async (): Promise<string | undefined> =>
      (await health.run('readyz')).find(({ name }) => name === 'kms-providers')?.reason;
    assert.equal(await reason(), '');
    other = 'away in core';
    assert.equal(await reason(), 'away in core');
    own = 'away';
    assert.equal(await reason(), 'away');
  });
});

describe('storageCheck', () => {
  test('reports storage that does not answer within its time', async () => {
    const storage = (answer: Promise<number>): Storage => ({ currentRevision: () => answer }) as unknown as Storage;
    assert.equal(await storageCheck(storage(Promise.resolve(1)), 1000)(), undefined);
    const reasons = [storage(new Promise(() => {})), storage(Promise.reject(new Error('away')))].map((each) =>
      storageCheck(each, 1)(),
    );
    assert.deepEqual(await Promise.all(reasons), [
      'error getting data from etcd: context deadline exceeded',
      'error getting data from etcd: away',
    ]);
  });
});

describe('HealthChecks of several etcds', () => {
  test('lists override checks behind etcd, and excludes them together with etcd', async () => {
    const health = new HealthChecks();
    for (const name of ['etcd-override-1', 'etcd-override-readiness-0', 'etcd-readiness', 'etcd', 'informer-sync'])
      health.add({ name, check: () => undefined });
    assert.deepEqual(health.names('readyz'), [
      'ping',
      'log',
      'etcd',
      'etcd-readiness',
      'etcd-override-1',
      'etcd-override-readiness-0',
      'informer-sync',
    ]);
    const excludedBy = async (name: string): Promise<readonly string[]> =>
      (await health.run('readyz', new Set([name]))).flatMap((result) =>
        result.excludedBy === undefined ? [] : [`${result.name} by ${result.excludedBy}`],
      );
    assert.deepEqual(await excludedBy('etcd'), ['etcd by etcd', 'etcd-override-1 by etcd']);
    assert.deepEqual(await excludedBy('etcd-override-1'), ['etcd-override-1 by etcd-override-1']);
  });
});
