import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { killProcess } from '#test/cluster-processes.ts';
import { startCluster, type Cluster } from '#test/cluster.ts';

describe('controllers process', { timeout: 120_000 }, () => {
  let cluster: Cluster;
  let core: CoreV1Api;
  before(async () => {
    cluster = await startCluster({ bundled: true, flags: ['--controllers=*'] });
    const config = new KubeConfig();
    config.loadFromFile(cluster.kubeconfig);
    core = config.makeApiClient(CoreV1Api);
  });
  after(() => cluster.close());

  const isThere = (read: Promise<unknown>): Promise<boolean> =>
    read.then(
      () => true,
      () => false,
    );
  test('makes accounts, collects dependents and removes namespaces, also after it was killed', async () => {
    for (const namespace of ['first', 'second']) {
      await core.createNamespace({ body: { metadata: { name: namespace } } });
      while (!(await isThere(core.readNamespacedServiceAccount({ namespace, name: 'default' })))) await sleep(20);
      const { metadata: owner } = await core.createNamespacedSecret({
        namespace,
        body: { metadata: { name: 'owner' } },
      });
      const reference = { apiVersion: 'v1', kind: 'Secret', name: 'owner', uid: owner?.uid ?? '' };
      await core.createNamespacedConfigMap({
        namespace,
        body: { metadata: { name: 'dependent', ownerReferences: [reference] } },
      });
      await core.deleteNamespacedSecret({ namespace, name: 'owner' });
      while (await isThere(core.readNamespacedConfigMap({ namespace, name: 'dependent' }))) await sleep(20);
      await core.deleteNamespace({ name: namespace });
      while (await isThere(core.readNamespace({ name: namespace }))) await sleep(20);
      if (namespace === 'first') killProcess(cluster, 'controllers');
    }
    assert.match(cluster.output(), /controllers ended \(SIGKILL\), starting it again/);
  });
});
