import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import { pod, podAttributes } from '#shared/admission/testing/attributes.ts';
import { FakeCaches } from '#shared/admission/testing/fake-caches.ts';
import { newConflict, StatusError } from '#shared/apimachinery/errors/status.ts';
import { objectAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ResourceQuota } from './resource-quota.ts';

function quota(
  hard: Record<string, string>,
  used: Record<string, string>,
  spec: KubeObject['spec'] & object = {},
): KubeObject {
  return { metadata: { name: 'q', namespace: 'a' }, spec: { hard, ...spec }, status: { hard, used } };
}

/** A plugin over one quota, and the states that were written. */
function pluginOver(
  stored: KubeObject,
  beforeWrite: () => void = () => undefined,
): { plugin: ResourceQuota; caches: FakeCaches; written: KubeObject[] } {
  const caches = new FakeCaches();
  let newest = caches.put('', 'resourcequotas', stored);
  const written: KubeObject[] = [];
  const plugin = new ResourceQuota(caches, async (object) => {
    beforeWrite();
    await Promise.resolve();
    const current = caches.cache('', 'resourcequotas').get('/resourcequotas/a/q');
    if (current !== undefined && String(current.revision) !== object.metadata.resourceVersion)
      throw newConflict({ group: '', resource: 'resourcequotas' }, 'q', 'modified');
    newest = caches.put('', 'resourcequotas', object);
    written.push(newest);
    return newest;
  });
  return { plugin, caches, written };
}

async function outcome(plugin: ResourceQuota, attributes: AdmissionAttributes): Promise<string> {
  try {
    await plugin.validate(attributes);
    return 'admitted';
  } catch (error) {
    assert.ok(error instanceof StatusError);
    return error.message;
  }
}

const usedOf = (object: KubeObject | undefined): unknown => objectAt(object, 'status', 'used');

describe('ResourceQuota', () => {
  test('admits as many concurrent requests as the quota allows, with at most three writes', async () => {
    const { plugin, written } = pluginOver(quota({ pods: '5' }, { pods: '0' }));
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcome(plugin, podAttributes())));
    assert.equal(outcomes.filter((item) => item === 'admitted').length, 5);
    assert.equal(
      outcomes.at(-1),
      'pods "p" is forbidden: exceeded quota: q, requested: pods=1, used: pods=5, limited: pods=5',
    );
    assert.deepEqual(usedOf(written.at(-1)), { pods: '5' });
    assert.ok(written.length <= 3, `${written.length} writes`);
  });

  test('counts usage that another server has written meanwhile', async () => {
    let interfere = true;
    const { plugin, caches, written } = pluginOver(quota({ pods: '2' }, { pods: '0' }), () => {
      if (interfere) caches.put('', 'resourcequotas', quota({ pods: '2' }, { pods: '1' }));
      interfere = false;
    });
    assert.equal(await outcome(plugin, podAttributes()), 'admitted');
    assert.deepEqual(usedOf(written.at(-1)), { pods: '2' });
    assert.match(await outcome(plugin, podAttributes()), /exceeded quota/);
  });

  test('returns a conflict after a write and three retries have lost the race', async () => {
    let writes = 0;
    const { plugin, caches } = pluginOver(quota({ pods: '2' }, { pods: '0' }), () => {
      writes++;
      caches.put('', 'resourcequotas', quota({ pods: '2' }, { pods: '0' }));
    });
    assert.match(await outcome(plugin, podAttributes()), /Operation cannot be fulfilled on resourcequotas "q"/);
    assert.equal(writes, 4);
  });

  test('admits the request when the quota is deleted before a retry', async () => {
    const { plugin, caches } = pluginOver(quota({ pods: '2' }, { pods: '0' }), () => {
      caches.put('', 'resourcequotas', quota({ pods: '2' }, { pods: '0' }));
      caches.onCurrent('', 'resourcequotas', () => caches.remove('', 'resourcequotas', 'a', 'q'));
    });
    assert.equal(await outcome(plugin, podAttributes()), 'admitted');
  });

  test('counts its own writes before the cache has seen them', async () => {
    const caches = new FakeCaches();
    caches.put('', 'resourcequotas', quota({ pods: '1' }, { pods: '0' }));
    const plugin = new ResourceQuota(caches, (object) =>
      Promise.resolve({ ...object, metadata: { ...object.metadata, resourceVersion: '99' } }),
    );
    assert.equal(await outcome(plugin, podAttributes()), 'admitted');
    assert.match(await outcome(plugin, podAttributes()), /exceeded quota/);
  });

  test('checks a dry run without charging it', async () => {
    const { plugin, written } = pluginOver(quota({ pods: '1' }, { pods: '1' }));
    assert.match(await outcome(plugin, podAttributes({ dryRun: true })), /exceeded quota/);
    const roomy = pluginOver(quota({ pods: '2' }, { pods: '1' }));
    assert.equal(await outcome(roomy.plugin, podAttributes({ dryRun: true })), 'admitted');
    assert.equal(written.length + roomy.written.length, 0);
  });

  test('answers synchronously in a namespace without quotas', async () => {
    const plugin = new ResourceQuota(new FakeCaches(), () => Promise.reject(new Error('nothing to write')));
    await plugin.ready();
    assert.equal(plugin.validate(podAttributes()), undefined);
  });

  test('handles only operations that may change usage', () => {
    const plugin = new ResourceQuota(new FakeCaches(), () => Promise.reject(new Error('nothing to write')));
    assert.ok(plugin.handles('CREATE', { group: '', resource: 'configmaps' }));
    assert.ok(!plugin.handles('UPDATE', { group: '', resource: 'configmaps' }));
    assert.ok(plugin.handles('UPDATE', { group: '', resource: 'services' }));
    assert.ok(!plugin.handles('CREATE', { group: 'events.k8s.io', resource: 'events' }));
    assert.ok(!plugin.handles('DELETE', { group: '', resource: 'pods' }));
  });

  test("counts only the Pods that a quota's scopes select", async () => {
    const bestEffort = pluginOver(quota({ pods: '0' }, { pods: '0' }, { scopes: ['BestEffort'] }));
    assert.match(await outcome(bestEffort.plugin, podAttributes()), /exceeded quota/);
    const sized = pod({ containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] });
    assert.equal(await outcome(bestEffort.plugin, podAttributes({ object: sized })), 'admitted');
    const byClass = quota(
      { pods: '0' },
      { pods: '0' },
      { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] } },
    );
    const { plugin } = pluginOver(byClass);
    assert.equal(await outcome(plugin, podAttributes()), 'admitted');
    assert.match(
      await outcome(plugin, podAttributes({ object: pod({ priorityClassName: 'high' }) })),
      /exceeded quota/,
    );
  });
});
