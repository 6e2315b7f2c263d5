import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { startCluster } from 'quarterdeck';
import { startQuotaController } from '../src/quota-controller.mjs';

const config = new KubeConfig();
let cluster;
let core;
let controller;
let clean;

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

/** Repeats what fails until the controller has done its part; the test's timeout ends it. */
async function succeeding(attempt) {
  for (;;) {
    try {
      return await attempt();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

test('a team gets ten pods', async () => {
  await core.createNamespace({ body: { metadata: { name: 'blue', labels: { team: 'blue' } } } });
  const quota = await succeeding(() => core.readNamespacedResourceQuota({ namespace: 'blue', name: 'team' }));
  expect(quota.spec?.hard).toEqual({ pods: '10' });
});

test('each test starts with the same objects', async () => {
  const { items } = await core.listNamespace();
  expect(items.map(({ metadata }) => metadata?.name)).not.toContain('blue');
});
