import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { AdmissionregistrationV1Api, CoreV1Api, CustomObjectsApi, KubeConfig } from '@kubernetes/client-node';
import type { TestCluster } from '#servers/host/client/public-types.ts';
import { startCluster } from '#servers/host/client/start-cluster.ts';
import { startStore } from '#servers/store/start/start-store.ts';
import { freePort } from '#test/free-port.ts';

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget }
  versions:
  - name: v1
    served: true
    storage: true
    schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;
const widget = `
apiVersion: example.com/v1
kind: Widget
metadata: { name: one, namespace: applied }
spec: { size: 1 }
`;
const namespace = '{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "applied"}}\n';

describe('methods of a test cluster', { timeout: 120_000 }, () => {
  let cluster: TestCluster;
  let config: KubeConfig;
  let core: CoreV1Api;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'manifests-'));
    cluster = await startCluster();
    config = new KubeConfig();
    config.loadFromFile(cluster.kubeconfig);
    core = config.makeApiClient(CoreV1Api);
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await cluster.close();
  });

  test('apply a folder in any order, and let its resources be used at once', async () => {
    writeFileSync(join(folder, 'a.yaml'), `# a widget\n---\n${widget}\n---\n# nothing\n`);
    writeFileSync(join(folder, 'b.yml'), definition);
    writeFileSync(join(folder, 'c.json'), namespace);
    writeFileSync(join(folder, 'd.txt'), 'no manifest');
    const applied = await cluster.apply(folder);
    assert.deepEqual(
      applied.map(({ kind, metadata: { name } }) => `${kind}/${name}`),
      ['Widget/one', 'CustomResourceDefinition/widgets.example.com', 'Namespace/applied'],
    );
    const place = { group: 'example.com', version: 'v1', namespace: 'applied', plural: 'widgets', name: 'one' };
    const read = (await config.makeApiClient(CustomObjectsApi).getNamespacedCustomObject(place)) as { spec: object };
    assert.deepEqual(read.spec, { size: 1 });
    const again = await cluster.apply(pathToFileURL(join(folder, 'a.yaml')));
    assert.equal(again[0]?.metadata.uid, applied[0]?.metadata.uid);
  });

  test('apply objects and lists, over the fields of others', async () => {
    await core.createNamespacedConfigMap({
      namespace: 'default',
      body: { metadata: { name: 'settings' }, data: { a: 'theirs', b: 'theirs' } },
    });
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { a: 'ours' } };
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { generateName: 'drawn-' } };
    const applied = await cluster.apply([map, { apiVersion: 'v1', kind: 'List', items: [account, account] }]);
    assert.deepEqual(applied[0]?.['data'], { a: 'ours', b: 'theirs' });
    const names = applied.slice(1).map(({ metadata: { name } }) => name);
    assert.equal(new Set(names).size, 2);
    assert.ok(names.every((name) => name.startsWith('drawn-')));
    await cluster.apply(JSON.stringify(map));
  });

  test('refuse what is no manifest with its place, and change nothing', async () => {
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'early' } };
    await assert.rejects(
      cluster.apply('no-such-file.yaml'),
      /there is no file or folder \S+\/no-such-file\.yaml: give/,
    );
    await assert.rejects(
      cluster.apply(join(folder, 'd.txt')),
      /d\.txt, document 1 is no manifest: "no manifest" is no/,
    );
    await assert.rejects(cluster.apply('a: [\nb'), /the manifest, document 1 is no manifest: .*yaml/);
    await assert.rejects(cluster.apply([map, { kind: 'ConfigMap' }]), /object 2 has no apiVersion: each object/);
    await assert.rejects(
      cluster.apply([map, { ...map, metadata: {} }]),
      /object 2 \(ConfigMap\) has no metadata\.name/,
    );
    await assert.rejects(
      cluster.apply([map, { ...map, apiVersion: 'example.com/v1', kind: 'Gadget' }]),
      /object 2: nothing serves Gadget of example\.com\/v1: apply its definition before it/,
    );
    await assert.rejects(core.readNamespacedConfigMap({ namespace: 'default', name: 'early' }), { code: 404 });
    const invalid = { ...map, metadata: { name: 'In Valid' } };
    await assert.rejects(cluster.apply(invalid), /object 1: ConfigMap\/In Valid: ConfigMap "In Valid" is invalid/);
  });

  test('wait until the server of a webhook takes connections', async () => {
    const pki = join(dirname(cluster.kubeconfig), 'pki');
    const server = createTlsServer({
      cert: readFileSync(join(pki, 'apiserver.crt')),
      key: readFileSync(join(pki, 'apiserver.key')),
    });
    const port = await freePort();
    const applying = cluster.apply({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'waits' },
      webhooks: [
        {
          name: 'waits.example.com',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { url: `https://127.0.0.1:${port}/` },
          rules: [{ apiGroups: ['example.org'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['none'] }],
        },
      ],
    });
    let isApplied = false;
    void applying.then(() => (isApplied = true));
    // The configuration is there before its server is waited for.
    const api = config.makeApiClient(AdmissionregistrationV1Api);
    while ((await api.listValidatingWebhookConfiguration()).items.length === 0);
    assert.equal(isApplied, false);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    await applying;
    server.close();
  });

  test('make a namespace named after the test: ready to use', async () => {
    const [one, two] = await Promise.all([cluster.namespace(), cluster.namespace()]);
    assert.match(one, /^make-a-namespace-named-after-the-test-ready-to-use-\w{5}$/);
    assert.notEqual(one, two);
    await core.readNamespacedServiceAccount({ namespace: one, name: 'default' });
    await core.readNamespacedConfigMap({ namespace: one, name: 'kube-root-ca.crt' });
    await core.createNamespacedPod({
      namespace: one,
      body: { metadata: { name: 'pod' }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    });
  });

  test('tell what clients sent since a mark, and nothing of the servers', async () => {
    const mark = await cluster.mark();
    await core.createNamespacedConfigMap({ namespace: 'default', body: { metadata: { name: 'sent' } } });
    await assert.rejects(core.readNamespacedSecret({ namespace: 'default', name: 'none' }));
    await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'quiet' } });
    const told = async (): Promise<readonly string[]> =>
      (await cluster.requests(mark)).map(({ method, path, code }) => `${method} ${path} ${code}`);
    const maps = '/api/v1/namespaces/default/configmaps';
    assert.deepEqual(await told(), [`POST ${maps} 201`, 'GET /api/v1/namespaces/default/secrets/none 404']);
    assert.ok((await cluster.requests()).length > 2);
    await cluster.rollback(mark);
    assert.deepEqual(await told(), []);
    await core.listNamespacedConfigMap({ namespace: 'default', labelSelector: 'a=b' });
    assert.deepEqual(await told(), [`GET ${maps}?labelSelector=a%3Db 200`]);
    assert.match((await cluster.requests(mark))[0]?.userAgent ?? '', /^kubernetes-client-javascript/);
    await using other = await startCluster();
    await assert.rejects(other.requests(mark), /one of another cluster/);
  });
});

describe('startCluster', { timeout: 60_000 }, () => {
  test('with an option or value that it does not know, rejects with both and what it takes', async () => {
    const start = (options: object): Promise<unknown> => startCluster(options);
    await assert.rejects(start({ flag: [] }), {
      message: 'startCluster has no option "flag": it takes flags, controllers, processes, seed, now',
    });
    await assert.rejects(start({ flags: '--v=1' }), { message: 'option flags is "--v=1": give a list of texts' });
    await assert.rejects(start({ processes: 'two' }), {
      message: `option processes is "two": give 'one' or 'separate'`,
    });
  });

  test('on an etcd, leaves its objects there, and refuses to roll back and to fork', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'store-'));
    const store = await startStore({ dataDir, listenClientUrls: ['http://127.0.0.1:0'] });
    const [url = ''] = store.clientUrls;
    const made: string[] = [];
    for (const flag of [`--etcd-servers-overrides=/events#${url}`, `--etcd-servers=${url}`, `--etcd-servers=${url}`]) {
      await using cluster = await startCluster({ flags: [flag] });
      const config = new KubeConfig();
      config.loadFromFile(cluster.kubeconfig);
      const { items } = await config.makeApiClient(CoreV1Api).listNamespace();
      const names = items.map(({ metadata }) => metadata?.name ?? '');
      assert.deepEqual(
        made.map((name) => names.includes(name)),
        [false, true].slice(0, made.length),
      );
      made.push(await cluster.namespace());
      await assert.rejects(cluster.mark(), /an etcd cannot be rolled back: start the cluster without --etcd-servers/);
      await assert.rejects(cluster.fork(), /an etcd cannot be forked: start the cluster without --etcd-servers/);
    }
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
});

describe('cluster of separate processes', { timeout: 120_000 }, () => {
  test('has the methods that need no store, and says why it lacks the others', async () => {
    await using cluster = await startCluster({ processes: 'separate' });
    const [map] = await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
    assert.equal(map?.metadata.namespace, 'default');
    assert.match(await cluster.namespace(), /^has-the-methods/);
    assert.ok((await cluster.kubeconfigFor({ name: 'jane' })).length > 0);
    for (const call of [() => cluster.mark(), () => cluster.fork(), () => cluster.requests()])
      await assert.rejects(call, /a cluster of separate processes has no .*: leave out `processes: 'separate'`/);
  });

  test('that does not start, tells what its processes wrote', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise<void>((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const flags = [`--secure-port=${port}`];
    await assert.rejects(
      startCluster({ processes: 'separate', flags }),
      new RegExp(`127\\.0\\.0\\.1:${port} is in use`),
    );
    await assert.rejects(startCluster({ flags }), new RegExp(`127\\.0\\.0\\.1:${port} is in use`));
    server.close();
  });
});
