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
});

describe('storageCheck', () => {
  test('reports storage that does not answer within its time', async () => {
    const storage = (answer: Promise<number>): Storage => ({ currentRevision: () => answer }) as unknown as Storage;
    assert.equal(await storageCheck(storage(Promise.resolve(1)), 1000)(), undefined);
    assert.match((await storageCheck(storage(new Promise(() => {})), 1)()) ?? '', /did not answer/);
    await assert.rejects(storageCheck(storage(Promise.reject(new Error('away'))), 1000)(), /away/);
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
        result.excludedBy === '' ? [] : [`${result.name} by ${result.excludedBy}`],
      );
    assert.deepEqual(await excludedBy('etcd'), ['etcd by etcd', 'etcd-override-1 by etcd']);
    assert.deepEqual(await excludedBy('etcd-override-1'), ['etcd-override-1 by etcd-override-1']);
  });
});
