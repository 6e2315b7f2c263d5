import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  ApiextensionsV1Api,
  ApisApi,
  AuthenticationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  type V1CustomResourceDefinition,
} from '@kubernetes/client-node';
import type { TestCluster } from '#servers/host/client/public-types.ts';
import { startCluster } from '#servers/host/client/start-cluster.ts';

const namespace = 'default';
const widgets = { group: 'example.com', version: 'v1', plural: 'widgets', namespace };
const definition: V1CustomResourceDefinition = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'widgets', kind: 'Widget' },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

interface Clients {
  readonly config: KubeConfig;
  readonly core: CoreV1Api;
  readonly custom: CustomObjectsApi;
}

function clientsOf({ kubeconfig }: TestCluster): Clients {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  return { config, core: config.makeApiClient(CoreV1Api), custom: config.makeApiClient(CustomObjectsApi) };
}

async function configMapsOf(core: CoreV1Api): Promise<unknown[][]> {
  const { items } = await core.listNamespacedConfigMap({ namespace });
  return items.map(({ metadata, data }) => [metadata?.name, metadata?.uid, data]);
}

describe('fork of a cluster', { timeout: 120_000 }, () => {
  let cluster: TestCluster;
  let source: Clients;
  before(async () => {
    cluster = await startCluster();
    source = clientsOf(cluster);
    await source.core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'both' }, data: { a: '1' } } });
    await source.config.makeApiClient(ApiextensionsV1Api).createCustomResourceDefinition({ body: definition });
    const body = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'one' }, size: 1 };
    const made = async (): Promise<boolean> =>
      source.custom.createNamespacedCustomObject({ ...widgets, body }).then(
        () => true,
        (error: { code: number }) => {
          if (error.code !== 404) throw error;
          return false;
        },
      );
    // It is served a moment after its definition was made.
    while (!(await made()));
  });
  after(() => cluster.close());

  test('has the same objects with their uids, custom ones and their discovery at once', async () => {
    await using fork = await cluster.fork();
    const copy = clientsOf(fork);
    assert.deepEqual(await configMapsOf(copy.core), await configMapsOf(source.core));
    const uidOf = async ({ custom }: Clients): Promise<unknown> =>
      ((await custom.getNamespacedCustomObject({ ...widgets, name: 'one' })) as { metadata: { uid: string } }).metadata
        .uid;
    assert.equal(await uidOf(copy), await uidOf(source));
    const { groups } = await copy.config.makeApiClient(ApisApi).getAPIVersions();
    assert.ok(groups.some(({ name }) => name === 'example.com'));
    const { resources } = await copy.custom.getAPIResources(widgets);
    assert.deepEqual(
      resources.map(({ name }) => name),
      ['widgets'],
    );
    const uidOfSystem = async ({ core }: Clients): Promise<unknown> =>
      (await core.readNamespace({ name: 'kube-system' })).metadata?.uid;
    assert.equal(await uidOfSystem(copy), await uidOfSystem(source));
    await using other = await startCluster();
    assert.notEqual(await uidOfSystem(clientsOf(other)), await uidOfSystem(source));
  });

  test('and its source do not see what the other writes', async () => {
    await using fork = await cluster.fork();
    const copy = clientsOf(fork);
    const before = await configMapsOf(source.core);
    await copy.core.deleteNamespacedConfigMap({ namespace, name: 'both' });
    await copy.core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'in-fork' } } });
    assert.deepEqual(await configMapsOf(source.core), before);
    await source.core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'in-source' } } });
    const names = (await configMapsOf(copy.core)).map(([name]) => name);
    assert.ok(names.includes('in-fork') && !names.includes('both') && !names.includes('in-source'), names.join());
    await source.core.deleteNamespacedConfigMap({ namespace, name: 'in-source' });
  });

  test('takes tokens of the source, and gives other addresses than its Services have', async () => {
    await source.core.createNamespacedServiceAccount({ namespace, body: { metadata: { name: 'robot' } } });
    const { status } = await source.core.createNamespacedServiceAccountToken({
      namespace,
      name: 'robot',
      body: { spec: { audiences: [] } },
    });
    const service = { metadata: { name: 'first' }, spec: { ports: [{ port: 80 }] } };
    const first = await source.core.createNamespacedService({ namespace, body: service });
    await using fork = await cluster.fork();
    const copy = clientsOf(fork);
    const review = await copy.config
      .makeApiClient(AuthenticationV1Api)
      .createTokenReview({ body: { spec: { token: status?.token ?? '' } } });
    assert.equal(review.status?.user?.username, 'system:serviceaccount:default:robot');
    assert.equal(
      (await copy.core.readNamespacedService({ namespace, name: 'first' })).spec?.clusterIP,
      first.spec?.clusterIP,
    );
    const taken = {
      ...service,
      metadata: { name: 'second' },
      spec: { ...service.spec, clusterIP: first.spec?.clusterIP ?? '' },
    };
    await assert.rejects(copy.core.createNamespacedService({ namespace, body: taken }), /already allocated/);
    await copy.core.deleteNamespacedService({ namespace, name: 'first' });
    await copy.core.createNamespacedService({ namespace, body: taken });
  });

  test('of a closed cluster is refused', async () => {
    const closed = await startCluster();
    await closed.close();
    await assert.rejects(closed.fork(), /the cluster is closed/);
  });
});
