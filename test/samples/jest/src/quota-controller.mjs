import { CoreV1Api, makeInformer } from '@kubernetes/client-node';

/** Gives each namespace with the label `team` a quota of ten pods, until it is stopped. */
export async function startQuotaController(config) {
  const core = config.makeApiClient(CoreV1Api);
  const namespaces = makeInformer(config, '/api/v1/namespaces', () => core.listNamespace(), 'team');
  const reconcile = async ({ metadata }) => {
    const body = { metadata: { name: 'team' }, spec: { hard: { pods: '10' } } };
    try {
      await core.createNamespacedResourceQuota({ namespace: metadata?.name ?? '', body });
    } catch (error) {
      // It is there already, or its namespace is gone.
      if (error.code !== 409 && error.code !== 404) console.error(error);
    }
  };
  namespaces.on('add', reconcile);
  namespaces.on('update', reconcile);
  await namespaces.start();
  return { stop: () => namespaces.stop() };
}
