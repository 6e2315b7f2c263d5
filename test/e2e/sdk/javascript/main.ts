// What programs of the JavaScript client do to the cluster that KUBECONFIG names; each line says what worked.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import {
  ApiException,
  CoreV1Api,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
} from '@kubernetes/client-node';
import type { V1ConfigMap } from '@kubernetes/client-node';

const config = new KubeConfig();
config.loadFromDefault();
const core = config.makeApiClient(CoreV1Api);
const objects = KubernetesObjectApi.makeApiClient(config);

async function codeOf(call: Promise<unknown>): Promise<number> {
  try {
    await call;
    return 200;
  } catch (error) {
    if (error instanceof ApiException) return error.code;
    throw error;
  }
}

async function typed(namespace: string): Promise<void> {
  const made = await core.createNamespacedConfigMap({
    namespace,
    body: { metadata: { name: 'typed', labels: { from: 'javascript' } }, data: { a: '1' } },
  });
  const changed = await core.replaceNamespacedConfigMap({
    namespace,
    name: 'typed',
    body: { ...made, data: { a: '2' } },
  });
  assert.notEqual(changed.metadata?.resourceVersion, made.metadata?.resourceVersion);
  assert.equal(
    await codeOf(core.replaceNamespacedConfigMap({ namespace, name: 'typed', body: { ...made, data: { a: '3' } } })),
    409,
  );
  await core.patchNamespacedConfigMap(
    { namespace, name: 'typed', body: [{ op: 'add', path: '/data/b', value: '3' }] },
    setHeaderOptions('Content-Type', PatchStrategy.JsonPatch),
  );
  assert.deepEqual((await core.readNamespacedConfigMap({ namespace, name: 'typed' })).data, { a: '2', b: '3' });
  assert.equal((await core.listNamespacedConfigMap({ namespace, labelSelector: 'from=javascript' })).items.length, 1);
  assert.equal(await codeOf(core.readNamespacedConfigMap({ namespace, name: 'missing' })), 404);
}

async function informed(namespace: string): Promise<void> {
  const selector = 'from=informer';
  const informer = makeInformer(
    config,
    `/api/v1/namespaces/${namespace}/configmaps`,
    () => core.listNamespacedConfigMap({ namespace, labelSelector: selector }),
    selector,
  );
  const seen: string[] = [];
  const deleted = Promise.withResolvers<void>();
  informer.on('add', (object: V1ConfigMap) => seen.push(`add ${object.metadata?.name ?? ''}`));
  informer.on('update', (object: V1ConfigMap) => seen.push(`update ${object.metadata?.name ?? ''}`));
  informer.on('delete', () => deleted.resolve());
  informer.on('error', (error: unknown) => deleted.reject(error instanceof Error ? error : new Error(String(error))));
  await informer.start();
  await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'a', labels: { from: 'informer' } } } });
  await core.patchNamespacedConfigMap(
    { namespace, name: 'a', body: { data: { a: '1' } } },
    setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
  );
  await core.deleteNamespacedConfigMap({ namespace, name: 'a' });
  await deleted.promise;
  await informer.stop();
  assert.deepEqual(seen, ['add a', 'update a']);
}

/** An informer that is started again behind an error, as its users do, sees the next change after the start. */
async function informedOverARestart(namespace: string): Promise<void> {
  const list = () => core.listNamespacedConfigMap({ namespace });
  const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, list);
  const after = Promise.withResolvers<void>();
  informer.on('add', (object: V1ConfigMap) => {
    if (object.metadata?.name === 'after') after.resolve();
  });
  informer.on('error', () => setTimeout(() => void informer.start(), 500));
  await informer.start();
  await restart();
  await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'after' } } });
  await after.promise;
  await informer.stop();
}

/** Asks the suite to restart the cluster: it closes the connection when that is done. */
async function restart(): Promise<void> {
  const [host = '', port = ''] = (process.env['SDK_RESTART'] ?? '').split(':');
  const socket = connect(Number(port), host).resume();
  await once(socket, 'end');
  socket.destroy();
}

async function applied(namespace: string): Promise<void> {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied', namespace }, data: { a: '1' } };
  const apply = (manager: string, data: Record<string, string>): Promise<V1ConfigMap> =>
    objects.patch({ ...object, data }, undefined, undefined, manager, undefined, PatchStrategy.ServerSideApply);
  const made = await apply('one', { a: '1' });
  assert.equal(made.metadata?.managedFields?.[0]?.operation, 'Apply');
  assert.equal(await codeOf(apply('two', { a: '2' })), 409);
  assert.deepEqual((await apply('one', { b: '2' })).data, { b: '2' });
}

const namespace =
  (await core.createNamespace({ body: { metadata: { generateName: 'sdk-javascript-' } } })).metadata?.name ?? '';
for (const [name, step] of [
  ['typed objects are created, read, listed, replaced and patched', typed],
  ['an informer sees each change once', informed],
  ['objects are applied', applied],
  ['an informer goes on behind a restart', informedOverARestart],
] as const) {
  if (step === informedOverARestart && process.env['SDK_RESTART'] === undefined) {
    console.log(`!!! LEFT OUT: javascript, ${name}, for this cluster is not the suite's own`);
    continue;
  }
  await step(namespace);
  console.log(`ok javascript: ${name}`);
}
await core.deleteNamespace({ name: namespace });
// An informer that is stopped between its list and its watch opens the watch all the same, and would hold the program.
process.exit(0);
