import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { startCluster, type Mark, type TestCluster } from 'quarterdeck';
import { startQuotaController } from '../src/quota-controller.ts';

const config = new KubeConfig();
let cluster: TestCluster;
let core: CoreV1Api;
let controller: { stop(): Promise<void> };
let clean: Mark;

before(async () => {
  cluster = await startCluster();
  config.loadFromFile(cluster.kubeconfig);
  core = config.makeApiClient(CoreV1Api);
  controller = await startQuotaController(config);
  clean = await cluster.mark();
});
afterEach(() => cluster.rollback(clean));
after(async () => {
  await controller?.stop();
  await cluster?.close();
});

test('a team gets ten pods', async (t) => {
  await core.createNamespace({ body: { metadata: { name: 'blue', labels: { team: 'blue' } } } });
  const quota = await t.waitFor(() => core.readNamespacedResourceQuota({ namespace: 'blue', name: 'team' }), {
    timeout: 10_000,
  });
  assert.deepEqual(quota.spec?.hard, { pods: '10' });
});

test('each test starts with the same objects', async () => {
  const { items } = await core.listNamespace();
  assert.ok(!items.some(({ metadata }) => metadata?.name === 'blue'));
});
