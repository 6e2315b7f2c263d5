import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import { configMapAttributes, refusalOf } from '#shared/admission/testing/attributes.ts';
import type { Status } from '#shared/apimachinery/errors/status.ts';
import type { CacheEntry, WatchCache } from '#shared/watchcache/watch-cache.ts';
import { NamespaceLifecycle } from './namespace-lifecycle.ts';

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

function refusal(plugin: NamespaceLifecycle, change: Partial<AdmissionAttributes>): Promise<Status | undefined> {
  return refusalOf(plugin, configMapAttributes(change));
}

const namespaceKind = {
  kind: { group: '', version: 'v1', kind: 'Namespace' },
  resource: { group: '', version: 'v1', resource: 'namespaces' },
};

describe('NamespaceLifecycle', () => {
  test('rejects with 404 when the namespace is missing, unless a fresh read finds it', async () => {
    assert.equal((await refusal(new NamespaceLifecycle(namespaces({})), {}))?.message, 'namespaces "a" not found');
    assert.equal(await refusal(new NamespaceLifecycle(namespaces({}, { a: 'Active' })), {}), undefined);
    assert.equal(await refusal(new NamespaceLifecycle(namespaces({})), { operation: 'DELETE' }), undefined);
  });

  test('rejects with 500 when the name of the missing namespace is no segment of a path', async () => {
    const status = await refusal(new NamespaceLifecycle(namespaces({})), { namespace: 'a%b' });
    assert.equal(status?.code, 500);
    assert.equal(status.message, `Internal error occurred: invalid resource name "a%b": [may not contain '%']`);
  });

  test('rejects new objects in a terminating namespace', async () => {
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

  test('reads the namespace afresh after it was deleted', async () => {
    const plugin = new NamespaceLifecycle(namespaces({ a: 'Active' }, { a: 'Terminating' }));
    assert.equal(
      await refusal(plugin, { ...namespaceKind, operation: 'DELETE', namespace: 'a', name: 'a' }),
      undefined,
    );
    assert.equal((await refusal(plugin, {}))?.code, 403);
  });

  // forceLiveLookupTTL of apiserver/pkg/admission/plugin/namespace/lifecycle.
  test('reads the namespace afresh for 30 seconds after its deletion', async () => {
    let nowMs = 0;
    const statusAfter = async (ms: number): Promise<number | undefined> => {
      const plugin = new NamespaceLifecycle(namespaces({ a: 'Active' }, { a: 'Terminating' }), () => nowMs);
      await refusal(plugin, { ...namespaceKind, operation: 'DELETE', namespace: 'a', name: 'a' });
      nowMs += ms;
      return (await refusal(plugin, {}))?.code;
    };
    assert.deepEqual([await statusAfter(29_999), await statusAfter(30_000)], [403, undefined]);
  });

  test('rejects the deletion of the built-in namespaces', async () => {
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
});
