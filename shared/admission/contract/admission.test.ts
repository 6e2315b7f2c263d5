import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdmissionChain, enabledPlugins, validateAdmissionFlags } from '#shared/admission/admission-chain.ts';
import { pluginTable } from '#shared/admission/gen/plugin-table.ts';
import { NamespaceLifecycle } from '#shared/admission/namespaces/namespace-lifecycle.ts';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import type { CacheEntry, WatchCache } from '#shared/watchcache/watch-cache.ts';
import type { AdmissionAttributes, AdmissionPlugin } from './admission.ts';

function attributes(change: Partial<AdmissionAttributes>): AdmissionAttributes {
  return {
    operation: 'CREATE',
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    subresource: '',
    namespace: 'a',
    name: '',
    options: {},
    dryRun: false,
    user: { name: 'u', uid: '', groups: [], extra: {} },
    object: { metadata: { name: 'x' } },
    addWarning: () => undefined,
    addAuditAnnotation: () => undefined,
    ...change,
  };
}

/** Namespaces by phase; `later` is what a fresh look finds. */
function namespaces(phases: Record<string, string>, later: Record<string, string> = phases): WatchCache {
  let seen = phases;
  const get = (key: string): CacheEntry | undefined => {
    const phase = seen[key.replace('/namespaces/', '')];
    return phase === undefined
      ? undefined
      : {
          key,
          namespace: '',
          name: key,
          revision: 1,
          json: Buffer.from('{}'),
          labels: undefined,
          fields: { 'status.phase': phase },
        };
  };
  const cache: Partial<WatchCache> = {
    get,
    isReady: () => true,
    ready: () => Promise.resolve(),
    waitForCurrent: () => {
      seen = later;
      return Promise.resolve(1);
    },
  };
  return cache as WatchCache;
}

async function refusal(
  plugin: AdmissionPlugin,
  change: Partial<AdmissionAttributes>,
): Promise<StatusError['status'] | undefined> {
  try {
    await plugin.admit?.(attributes(change));
    return undefined;
  } catch (error) {
    assert.ok(error instanceof StatusError);
    return error.status;
  }
}

const namespaceKind = {
  kind: { group: '', version: 'v1', kind: 'Namespace' },
  resource: { group: '', version: 'v1', resource: 'namespaces' },
};

test('there are 41 plugins and the default ones run in the order of the reference', () => {
  assert.equal(pluginTable.length, 41);
  assert.equal(pluginTable.filter((plugin) => plugin.byDefault).length, 27);
  const names = enabledPlugins({
    enableAdmissionPlugins: ['NamespaceExists'],
    disableAdmissionPlugins: ['LimitRanger'],
  });
  assert.deepEqual(names.slice(0, 3), ['NamespaceLifecycle', 'NamespaceExists', 'ServiceAccount']);
});

test('unknown and contradicting names are refused together', () => {
  assert.deepEqual(
    validateAdmissionFlags({ enableAdmissionPlugins: ['Nope', 'Priority'], disableAdmissionPlugins: ['Priority'] }),
    [
      'enable-admission-plugins plugin "Nope" is unknown',
      '[Priority] in enable-admission-plugins and disable-admission-plugins overlapped',
    ],
  );
});

test('a plugin that is not built yet may not be counted on, but turned off', () => {
  const refused = validateAdmissionFlags({
    enableAdmissionPlugins: ['PodNodeSelector', 'NodeRestriction', 'ValidatingAdmissionWebhook'],
    disableAdmissionPlugins: ['MutatingAdmissionWebhook'],
  });
  assert.deepEqual(
    refused,
    ['PodNodeSelector', 'ValidatingAdmissionWebhook'].map(
      (name) => `enable-admission-plugins plugin "${name}" is not available yet: nothing would be checked by it`,
    ),
  );
});

test('the chain asks only plugins that handle the operation', async () => {
  const asked: string[] = [];
  const chain = createAdmissionChain(
    { enableAdmissionPlugins: ['AlwaysDeny'], disableAdmissionPlugins: [] },
    {
      AlwaysDeny: () => ({
        name: 'AlwaysDeny',
        handles: (operation) => operation === 'DELETE',
        validate: () => void asked.push('validate'),
      }),
      Priority: () => ({ name: 'Priority', handles: () => true, admit: () => void asked.push('admit') }),
    },
  );
  await chain.admit(attributes({}));
  await chain.validate(attributes({}));
  assert.deepEqual(asked, ['admit']);
  assert.ok(chain.handles('DELETE', { group: '', resource: 'configmaps' }));
});

test('plugins are asked once whether they want an operation on a resource', async () => {
  const asked: string[] = [];
  const chain = createAdmissionChain(
    { enableAdmissionPlugins: [], disableAdmissionPlugins: [] },
    {
      Priority: () => ({
        name: 'Priority',
        handles(operation, { group, resource }) {
          asked.push(`${operation} ${resource}.${group}`);
          return resource === 'pods';
        },
        admit: () => assert.fail('config maps are not wanted'),
      }),
    },
  );
  for (const operation of ['CREATE', 'CREATE', 'UPDATE'] as const) await chain.admit(attributes({ operation }));
  assert.ok(!chain.handles('CREATE', { group: '', resource: 'configmaps' }));
  assert.ok(chain.handles('CREATE', { group: '', resource: 'pods' }));
  assert.deepEqual(asked, ['CREATE configmaps.', 'UPDATE configmaps.', 'CREATE pods.']);
});

test('a missing namespace is 404, unless a fresh look finds it', async () => {
  assert.equal((await refusal(new NamespaceLifecycle(namespaces({})), {}))?.message, 'namespaces "a" not found');
  assert.equal(await refusal(new NamespaceLifecycle(namespaces({}, { a: 'Active' })), {}), undefined);
  assert.equal(await refusal(new NamespaceLifecycle(namespaces({})), { operation: 'DELETE' }), undefined);
});

test('a namespace that ends takes nothing new', async () => {
  const status = await refusal(new NamespaceLifecycle(namespaces({ a: 'Terminating' })), {});
  assert.equal(
    status?.message,
    'configmaps "x" is forbidden: unable to create new content in namespace a because it is being terminated',
  );
  assert.deepEqual(status?.details?.causes, [
    { reason: 'NamespaceTerminating', message: 'namespace a is being terminated', field: 'metadata.namespace' },
  ]);
  assert.equal(
    await refusal(new NamespaceLifecycle(namespaces({ a: 'Terminating' })), { operation: 'UPDATE' }),
    undefined,
  );
});

test('after a deletion the cache is not believed', async () => {
  const plugin = new NamespaceLifecycle(namespaces({ a: 'Active' }, { a: 'Terminating' }));
  assert.equal(await refusal(plugin, { ...namespaceKind, operation: 'DELETE', namespace: 'a', name: 'a' }), undefined);
  assert.equal((await refusal(plugin, {}))?.code, 403);
});

test('the built-in namespaces cannot be deleted', async () => {
  const plugin = new NamespaceLifecycle(namespaces({}));
  for (const name of ['default', 'kube-system', 'kube-public']) {
    const status = await refusal(plugin, { ...namespaceKind, operation: 'DELETE', namespace: name, name });
    assert.equal(status?.message, `namespaces "${name}" is forbidden: this namespace may not be deleted`);
  }
  assert.equal(
    await refusal(plugin, {
      ...namespaceKind,
      operation: 'DELETE',
      namespace: 'kube-node-lease',
      name: 'kube-node-lease',
    }),
    undefined,
  );
});
