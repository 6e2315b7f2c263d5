import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ApiextensionsV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  type V1ObjectMeta,
} from '@kubernetes/client-node';
import type { TestCluster } from '#servers/host/client/public-types.ts';
import { startCluster } from '#servers/host/client/start-cluster.ts';

/** Waits for controllers, as long as the tests may take; `what` is for readers. */
async function until(_what: string, holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(10);
}

async function exists(read: Promise<unknown>): Promise<boolean> {
  return read.then(
    () => true,
    (error: { code?: number }) => {
      if (error.code === 404) return false;
      throw error;
    },
  );
}

describe('controllers of a test cluster', { timeout: 120_000 }, () => {
  let cluster: TestCluster;
  let config: KubeConfig;
  let core: CoreV1Api;
  before(async () => {
    cluster = await startCluster();
    config = new KubeConfig();
    config.loadFromFile(cluster.kubeconfig);
    core = config.makeApiClient(CoreV1Api);
  });
  after(() => cluster.close());

  const hasMap = (namespace: string, name: string): Promise<boolean> =>
    exists(core.readNamespacedConfigMap({ namespace, name }));
  const makeMap = async (namespace: string, metadata: V1ObjectMeta): Promise<V1ObjectMeta> => {
    const { metadata: made } = await core.createNamespacedConfigMap({ namespace, body: { metadata } });
    return made ?? {};
  };
  const ownedBy = (owner: V1ObjectMeta, more: object = {}): Required<Pick<V1ObjectMeta, 'ownerReferences'>> => ({
    ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: owner.name ?? '', uid: owner.uid ?? '', ...more }],
  });
  const newNamespace = async (name: string): Promise<string> => {
    await core.createNamespace({ body: { metadata: { name } } });
    return name;
  };

  test('give each namespace its default account and the root certificates, again when they are deleted', async () => {
    const namespace = await newNamespace('accounts');
    const hasBoth = async (): Promise<boolean> =>
      (await exists(core.readNamespacedServiceAccount({ namespace, name: 'default' }))) &&
      hasMap(namespace, 'kube-root-ca.crt');
    await until('both are there', hasBoth);
    const { data } = await core.readNamespacedConfigMap({ namespace, name: 'kube-root-ca.crt' });
    const authority = config.getCurrentCluster()?.caData ?? '';
    assert.equal(data?.['ca.crt'], Buffer.from(authority, 'base64').toString());
    await core.deleteNamespacedServiceAccount({ namespace, name: 'default' });
    await core.replaceNamespacedConfigMap({
      namespace,
      name: 'kube-root-ca.crt',
      body: { metadata: { name: 'kube-root-ca.crt' }, data: { other: 'x' } },
    });
    await until('both are there again', async () => {
      if (!(await hasBoth())) return false;
      const current = await core.readNamespacedConfigMap({ namespace, name: 'kube-root-ca.crt' });
      return current.data?.['ca.crt'] === data?.['ca.crt'];
    });
  });

  test('empty a deleted namespace, and tell what holds it', async () => {
    const namespace = await newNamespace('emptied');
    await makeMap(namespace, { name: 'free' });
    await makeMap(namespace, { name: 'held', finalizers: ['example.com/hold'] });
    await core.deleteNamespace({ name: namespace });
    const conditionsOf = async (): Promise<ReadonlyMap<string, string>> => {
      const { status } = await core.readNamespace({ name: namespace });
      return new Map((status?.conditions ?? []).map(({ type, status: is, message }) => [type, `${is} ${message}`]));
    };
    await until('conditions are told', async () => (await conditionsOf()).has('NamespaceContentRemaining'));
    assert.deepEqual(Object.fromEntries(await conditionsOf()), {
      NamespaceDeletionDiscoveryFailure: 'False All resources successfully discovered',
      NamespaceDeletionGroupVersionParsingFailure: 'False All legacy kube types successfully parsed',
      NamespaceDeletionContentFailure: 'False All content successfully deleted, may be waiting on finalization',
      NamespaceContentRemaining: 'True Some resources are remaining: configmaps. has 1 resource instances',
      NamespaceFinalizersRemaining:
        'True Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
    });
    const { metadata } = await core.readNamespacedConfigMap({ namespace, name: 'held' });
    await core.replaceNamespacedConfigMap({
      namespace,
      name: 'held',
      body: { metadata: { name: 'held', resourceVersion: metadata?.resourceVersion ?? '', finalizers: [] } },
    });
    await until('the namespace is gone', async () => !(await exists(core.readNamespace({ name: namespace }))));
  });

  test('collect dependents of an owner that was deleted in the background, and those of dependents', async () => {
    const namespace = await newNamespace('background');
    const owner = await makeMap(namespace, { name: 'owner' });
    const child = await makeMap(namespace, { name: 'child', ...ownedBy(owner) });
    await makeMap(namespace, { name: 'grandchild', ...ownedBy(child) });
    const other = await makeMap(namespace, { name: 'other' });
    const both = [...ownedBy(owner).ownerReferences, ...ownedBy(other).ownerReferences];
    await makeMap(namespace, { name: 'kept', ownerReferences: both });
    await core.deleteNamespacedConfigMap({ namespace, name: 'owner' });
    await until('dependents are gone', async () => !(await hasMap(namespace, 'grandchild')));
    assert.equal(await hasMap(namespace, 'child'), false);
    await until('the dependent of both names the other', async () => {
      const { metadata } = await core.readNamespacedConfigMap({ namespace, name: 'kept' });
      return metadata?.ownerReferences?.length === 1 && metadata.ownerReferences[0]?.name === 'other';
    });
  });

  test('let an owner go in the foreground after the dependents that block it', async () => {
    const namespace = await newNamespace('foreground');
    const owner = await makeMap(namespace, { name: 'owner' });
    const held = {
      name: 'blocking',
      finalizers: ['example.com/hold'],
      ...ownedBy(owner, { blockOwnerDeletion: true }),
    };
    await makeMap(namespace, held);
    await makeMap(namespace, { name: 'free', ...ownedBy(owner) });
    await core.deleteNamespacedConfigMap({ namespace, name: 'owner', propagationPolicy: 'Foreground' });
    await until('the blocking one is being deleted', async () => {
      const { metadata } = await core.readNamespacedConfigMap({ namespace, name: 'blocking' });
      return metadata?.deletionTimestamp !== undefined;
    });
    await until('the other one is gone', async () => !(await hasMap(namespace, 'free')));
    assert.deepEqual((await core.readNamespacedConfigMap({ namespace, name: 'owner' })).metadata?.finalizers, [
      'foregroundDeletion',
    ]);
    await core.replaceNamespacedConfigMap({ namespace, name: 'blocking', body: { metadata: { name: 'blocking' } } });
    await until('the owner is gone', async () => !(await hasMap(namespace, 'owner')));
    assert.equal(await hasMap(namespace, 'blocking'), false);
  });

  test('orphan dependents, when that is asked for', async () => {
    const namespace = await newNamespace('orphans');
    const owner = await makeMap(namespace, { name: 'owner' });
    await makeMap(namespace, { name: 'dependent', ...ownedBy(owner, { blockOwnerDeletion: true }) });
    await core.deleteNamespacedConfigMap({ namespace, name: 'owner', propagationPolicy: 'Orphan' });
    await until('the owner is gone', async () => !(await hasMap(namespace, 'owner')));
    const { metadata } = await core.readNamespacedConfigMap({ namespace, name: 'dependent' });
    assert.equal(metadata?.ownerReferences, undefined);
  });

  test('collect what names an owner that never was, or of another namespace, and tell of the latter', async () => {
    const namespace = await newNamespace('absent');
    const elsewhere = await newNamespace('absent-elsewhere');
    const owner = await makeMap(elsewhere, { name: 'owner' });
    await makeMap(elsewhere, { name: 'child', ...ownedBy(owner) });
    await makeMap(namespace, { name: 'crossing', ...ownedBy(owner) });
    await makeMap(namespace, {
      name: 'lost',
      ...ownedBy({ name: 'none', uid: '6ff1a6a2-73b3-4a5d-9d4f-2a9b7f1b3f60' }),
    });
    await until(
      'both are gone',
      async () => !(await hasMap(namespace, 'crossing')) && !(await hasMap(namespace, 'lost')),
    );
    await until('an event tells', async () =>
      (await core.listNamespacedEvent({ namespace })).items.some(({ reason }) => reason === 'OwnerRefInvalidNamespace'),
    );
    assert.equal(await hasMap(elsewhere, 'child'), true);
  });

  test('collect custom resources, of owners of the cluster too, and let circles go', async () => {
    const namespace = await newNamespace('custom');
    const names = { plural: 'things', singular: 'thing', kind: 'Thing' };
    const schema = { openAPIV3Schema: { type: 'object', x_kubernetes_preserve_unknown_fields: true } };
    await config.makeApiClient(ApiextensionsV1Api).createCustomResourceDefinition({
      body: {
        metadata: { name: 'things.example.com' },
        spec: {
          group: 'example.com',
          names,
          scope: 'Namespaced',
          versions: [{ name: 'v1', served: true, storage: true, schema }],
        },
      },
    });
    const things = config.makeApiClient(CustomObjectsApi);
    const place = { group: 'example.com', version: 'v1', namespace, plural: 'things' };
    const makeThing = async (metadata: V1ObjectMeta): Promise<V1ObjectMeta> => {
      const body = { apiVersion: 'example.com/v1', kind: 'Thing', metadata };
      return ((await things.createNamespacedCustomObject({ ...place, body })) as { metadata: V1ObjectMeta }).metadata;
    };
    const hasThing = (name: string): Promise<boolean> => exists(things.getNamespacedCustomObject({ ...place, name }));
    await until('the definition is served', () => exists(things.listNamespacedCustomObject(place)));
    const { metadata: volume = {} } = await core.createPersistentVolume({
      body: {
        metadata: { name: 'of-the-cluster' },
        spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
      },
    });
    const ofVolume = { apiVersion: 'v1', kind: 'PersistentVolume', name: volume.name ?? '', uid: volume.uid ?? '' };
    const thing = await makeThing({ name: 'one', ownerReferences: [ofVolume] });
    const ofThing = { apiVersion: 'example.com/v1', kind: 'Thing', name: 'one', uid: thing.uid ?? '' };
    const two = await makeThing({ name: 'two', ownerReferences: [{ ...ofThing, blockOwnerDeletion: true }] });
    await makeMap(namespace, { name: 'of-a-thing', ownerReferences: [ofThing] });
    const ofTwo = { ...ofThing, name: 'two', uid: two.uid ?? '', blockOwnerDeletion: true };
    const circle = [{ op: 'add', path: '/metadata/ownerReferences/-', value: ofTwo }];
    await things.patchNamespacedCustomObject({ ...place, name: 'one', body: circle });
    await core.deletePersistentVolume({ name: 'of-the-cluster' });
    await things.deleteNamespacedCustomObject({ ...place, name: 'one', propagationPolicy: 'Foreground' });
    await until('all are gone', async () => !(await hasThing('one')) && !(await hasThing('two')));
    await until('the dependent is gone', async () => !(await hasMap(namespace, 'of-a-thing')));
    await makeThing({ name: 'three' });
    await core.deleteNamespace({ name: namespace });
    await until('the namespace is gone', async () => !(await exists(core.readNamespace({ name: namespace }))));
    assert.equal(await hasThing('three'), false);
  });

  test('leave alone what a rollback brings back, and look after it as before', async () => {
    const namespace = await newNamespace('restored');
    const owner = await makeMap(namespace, { name: 'owner' });
    for (let at = 0; at < 20; at++) await makeMap(namespace, { name: `dependent-${at}`, ...ownedBy(owner) });
    await until('the namespace is equipped', () => hasMap(namespace, 'kube-root-ca.crt'));
    const mark = await cluster.mark();
    const names = async (): Promise<number> => (await core.listNamespacedConfigMap({ namespace })).items.length;
    for (let round = 0; round < 10; round++) {
      if (round % 2 === 0) await core.deleteNamespacedConfigMap({ namespace, name: 'owner' });
      else await core.deleteNamespace({ name: namespace });
      await cluster.rollback(mark);
      assert.equal(await names(), 22);
    }
    // What it had decided to do before would have been done when this is.
    await makeMap(namespace, {
      name: 'lost',
      ...ownedBy({ name: 'none', uid: '0d9f7c52-6a0c-4a5e-8a55-0f3a0c1f9b11' }),
    });
    await until('what has no owner is gone', async () => !(await hasMap(namespace, 'lost')));
    assert.equal(await names(), 22);
    await core.deleteNamespacedConfigMap({ namespace, name: 'owner' });
    await until('dependents are gone', async () => (await names()) === 1);
    await cluster.release(mark);
  });
});

describe('cluster of a test without controllers', { timeout: 60_000 }, () => {
  test('leaves namespaces as they are, and takes pods without an account', async () => {
    await using cluster = await startCluster({ controllers: [] });
    const config = new KubeConfig();
    config.loadFromFile(cluster.kubeconfig);
    const core = config.makeApiClient(CoreV1Api);
    await core.createNamespacedPod({
      namespace: 'default',
      body: { metadata: { name: 'pod' }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    });
    assert.deepEqual((await core.listServiceAccountForAllNamespaces()).items, []);
    await assert.rejects(startCluster({ controllers: ['job-controller'] }), /"job-controller" is not in the list/);
    await assert.rejects(
      startCluster({ controllers: [], flags: ['--controllers=*'] }),
      /controllers are named twice: leave out/,
    );
  });
});
