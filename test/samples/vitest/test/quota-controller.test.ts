import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { startCluster, type Mark, type TestCluster } from 'quarterdeck';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startQuotaController } from '../src/quota-controller.ts';

const config = new KubeConfig();
let cluster: TestCluster;
let core: CoreV1Api;
let controller: { stop(): Promise<void> };
let clean: Mark;

beforeAll(async () => {
  cluster = await startCluster();
  config.loadFromFile(cluster.kubeconfig);
  core = config.makeApiClient(CoreV1Api);
  controller = await startQuotaController(config);
  clean = await cluster.mark();
});
afterEach(async () => {
  await cluster.rollback(clean);
});
afterAll(async () => {
  await controller?.stop();
  await cluster?.close();
});

test('a team gets ten pods', async () => {
  await core.createNamespace({ body: { metadata: { name: 'blue', labels: { team: 'blue' } } } });
  const quota = await vi.waitFor(() => core.readNamespacedResourceQuota({ namespace: 'blue', name: 'team' }), {
    timeout: 10_000,
  });
  expect(quota.spec?.hard).toEqual({ pods: '10' });
});

test('each test starts with the same objects', async () => {
  const { items } = await core.listNamespace();
  expect(items.map(({ metadata }) => metadata?.name)).not.toContain('blue');
});
