import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Storage } from '#shared/storage/storage.ts';
import { HealthChecks } from './health.ts';
import { storageCheck } from './storage-check.ts';

test('checks are listed in the order of the reference, however they came', () => {
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

test('storage that does not answer is told in time', async () => {
  const storage = (answer: Promise<number>): Storage => ({ currentRevision: () => answer }) as unknown as Storage;
  assert.equal(await storageCheck(storage(Promise.resolve(1)), 1000)(), undefined);
  assert.match((await storageCheck(storage(new Promise(() => {})), 1)()) ?? '', /did not answer/);
  await assert.rejects(storageCheck(storage(Promise.reject(new Error('away'))), 1000)(), /away/);
});

test('checks of further etcds stand behind the first, and go with it when it is excluded', async () => {
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
