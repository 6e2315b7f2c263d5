import { CoreV1Api, makeInformer, type KubeConfig, type V1Namespace } from '@kubernetes/client-node';

/** Gives each namespace with the label `team` a quota of ten pods, until it is stopped. */
export async function startQuotaController(config: KubeConfig): Promise<{ stop(): Promise<void> }> {
  const core = config.makeApiClient(CoreV1Api);
  const namespaces = makeInformer(config, '/api/v1/namespaces', () => core.listNamespace(), 'team');
  const reconcile = async ({ metadata }: V1Namespace): Promise<void> => {
    const body = { metadata: { name: 'team' }, spec: { hard: { pods: '10' } } };
    try {
      await core.createNamespacedResourceQuota({ namespace: metadata?.name ?? '', body });
    } catch (error) {
      // It is there already, or its namespace is gone.
      const { code } = error as { readonly code?: number };
      if (code !== 409 && code !== 404) console.error(error);
    }
  };
  namespaces.on('add', reconcile);
  namespaces.on('update', reconcile);
  await namespaces.start();
  return { stop: () => namespaces.stop() };
}
