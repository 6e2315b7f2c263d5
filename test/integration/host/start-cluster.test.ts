import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ApiregistrationV1Api, CoreV1Api, KubeConfig, RbacAuthorizationV1Api } from '@kubernetes/client-node';
import type { TestCluster } from '#servers/host/client/public-types.ts';
import { startCluster } from '#servers/host/client/start-cluster.ts';

const coreOf = (kubeconfig: string): CoreV1Api => {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  return config.makeApiClient(CoreV1Api);
};

describe('cluster of a test', { timeout: 120_000 }, () => {
  let cluster: TestCluster;
  let core: CoreV1Api;
  before(async () => {
    cluster = await startCluster();
    core = coreOf(cluster.kubeconfig);
  });
  after(() => cluster.close());

  const namesOf = async (): Promise<readonly (string | undefined)[]> =>
    (await core.listNamespacedConfigMap({ namespace: 'default' })).items.map(({ metadata }) => metadata?.name);

  test('rolled back, shows reads and watches the state of the mark again, with rising versions', async () => {
    const namespace = 'default';
    await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'then' }, data: { a: '1' } } });
    const before = await core.listNamespacedConfigMap({ namespace });
    const mark = await cluster.mark();
    await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'new' } } });
    await core.replaceNamespacedConfigMap({ namespace, name: 'then', body: { metadata: { name: 'then' } } });
    const changed = await core.listNamespacedConfigMap({ namespace });
    assert.ok((await cluster.rollback(mark)) >= 2);
    const restored = await core.listNamespacedConfigMap({ namespace });
    assert.deepEqual(
      restored.items.map(({ metadata, data }) => [metadata?.name, metadata?.uid, data]),
      before.items.map(({ metadata, data }) => [metadata?.name, metadata?.uid, data]),
    );
    assert.ok(Number(restored.metadata?.resourceVersion) > Number(changed.metadata?.resourceVersion));
    await cluster.release(mark);
    await assert.rejects(cluster.rollback(mark), /the mark was released/);
  });

  test('rolled back past a definition, registers its group again when it is made again', async () => {
    const names = { plural: 'widgets', kind: 'Widget' };
    const schema = { openAPIV3Schema: { type: 'object' } };
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        names,
        scope: 'Namespaced',
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    };
    const config = new KubeConfig();
    config.loadFromFile(cluster.kubeconfig);
    const registrations = config.makeApiClient(ApiregistrationV1Api);
    const untilRegistered = async (): Promise<void> => {
      const isThere = async (): Promise<boolean> =>
        (await registrations.listAPIService()).items.some(({ metadata }) => metadata?.name === 'v1.example.com');
      while (!(await isThere()));
    };
    const mark = await cluster.mark();
    await cluster.apply(definition);
    await untilRegistered();
    await cluster.rollback(mark);
    await cluster.apply(definition);
    await untilRegistered();
    await cluster.rollback(mark);
    await cluster.release(mark);
  });

  test('of another user, has the rights that RBAC gives it', async () => {
    const kubeconfig = await cluster.kubeconfigFor({ name: 'jane', groups: ['readers', 'others'] });
    const jane = coreOf(kubeconfig);
    await assert.rejects(jane.listNamespacedConfigMap({ namespace: 'default' }), { code: 403 });
    const admin = new KubeConfig();
    admin.loadFromFile(cluster.kubeconfig);
    const mark = await cluster.mark();
    await admin.makeApiClient(RbacAuthorizationV1Api).createNamespacedRoleBinding({
      namespace: 'default',
      body: {
        metadata: { name: 'readers' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'readers' }],
      },
    });
    const outcome = async (): Promise<number> =>
      jane.listNamespacedConfigMap({ namespace: 'default' }).then(
        () => 200,
        (error: { code: number }) => error.code,
      );
    // Authorizers follow by watches.
    while ((await outcome()) !== 200);
    await cluster.rollback(mark);
    assert.equal(await outcome(), 403);
  });

  test('beside another one, shares no object with it, and takes no mark of it', async () => {
    await using other = await startCluster();
    await coreOf(other.kubeconfig).createNamespacedConfigMap({
      namespace: 'default',
      body: { metadata: { name: 'of-the-other' } },
    });
    assert.equal((await namesOf()).includes('of-the-other'), false);
    await assert.rejects(async () => other.rollback(await cluster.mark()), /one of another cluster/);
  });

  test('that is closed, removes its data and refuses calls', async () => {
    const other = await startCluster();
    const folder = dirname(other.kubeconfig);
    assert.ok(existsSync(folder));
    await other.close();
    await other.close();
    assert.equal(existsSync(folder), false);
    await assert.rejects(other.mark(), { message: 'the cluster is closed: start another one with startCluster()' });
  });

  test('with an unknown flag, rejects with its name and leaves nothing', async () => {
    const host = dirname(dirname(cluster.kubeconfig));
    const there = readdirSync(host);
    await assert.rejects(startCluster({ flags: ['--no-such-flag'] }), { message: 'unknown flag: --no-such-flag' });
    assert.deepEqual(readdirSync(host), there);
  });

  test('of a process that is killed, ends with it and leaves no file', async () => {
    const script = fileURLToPath(new URL('./leave-cluster.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script]).catch(
      (error: { stdout: string }) => error,
    );
    const [pid = 0, kubeconfig = ''] = JSON.parse(stdout) as [number, string];
    while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(existsSync(dirname(dirname(kubeconfig))), false);
  });
});

/** Whether a process is there and no zombie. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
