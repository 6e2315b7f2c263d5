// Tests in CommonJS: @kubernetes/client-node has ES modules only, which import() loads.
const { startCluster } = require('quarterdeck');

test('a kubeconfig of the cluster works', async () => {
  const { CoreV1Api, KubeConfig } = await import('@kubernetes/client-node');
  const cluster = await startCluster();
  try {
    const config = new KubeConfig();
    config.loadFromFile(cluster.kubeconfig);
    const { items } = await config.makeApiClient(CoreV1Api).listNamespace();
    expect(items.map(({ metadata }) => metadata?.name)).toContain('default');
  } finally {
    await cluster.close();
  }
});
