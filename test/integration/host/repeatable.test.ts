import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StartClusterOptions } from '#servers/host/client/public-types.ts';
import { startCluster } from '#servers/host/client/start-cluster.ts';
import { JsonClient } from '#test/json-client.ts';

const now = '2026-01-31T12:00:00Z';
const widgets = '/apis/example.com/v1/namespaces/of-test/widgets';
const definition = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'widgets', kind: 'Widget' },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

/** What a cluster answers to a series of requests, one after the other. */
async function answersOf(options: StartClusterOptions): Promise<unknown[]> {
  await using cluster = await startCluster({ controllers: [], ...options });
  const client = JsonClient.ofKubeconfig(cluster.kubeconfig);
  const answers: unknown[] = [];
  const send = async (...request: Parameters<JsonClient['call']>): Promise<void> => {
    answers.push(await client.call(...request));
  };
  const of = '/api/v1/namespaces/of-test';
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'of-test' } });
  for (let round = 0; round < 3; round++)
    await send('POST', `${of}/configmaps`, { metadata: { generateName: 'made-' } });
  await send('POST', `${of}/services`, {
    metadata: { name: 'web' },
    spec: { type: 'NodePort', ports: [{ port: 80 }] },
  });
  await send('PATCH', `${of}/services/web`, { metadata: { labels: { a: 'b' } } });
  await send('DELETE', `${of}/services/web`);
  await send('POST', `${of}/services`, { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } });
  await client.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'one' } };
  let made = await client.call('POST', widgets, widget);
  // It is served a moment after its definition was made.
  while (made.status === 404) made = await client.call('POST', widgets, widget);
  answers.push((made.body as { metadata: object }).metadata);
  await send('GET', `${of}/configmaps`);
  await client.close();
  return answers;
}

describe('cluster with a seed and a time', { timeout: 120_000 }, () => {
  test('gives the same answers twice, and others with another seed', async () => {
    const once = await answersOf({ seed: 1, now });
    const text = JSON.stringify(once);
    assert.ok(text.includes(`"creationTimestamp":"${now}"`), text);
    assert.deepEqual(await answersOf({ seed: 1, now }), once);
    assert.notDeepEqual(await answersOf({ seed: 2, now }), once);
  });

  test('refuses a time that is none', async () => {
    await assert.rejects(startCluster({ now: 'soon' }), {
      message: 'now: soon is no time: give a Date, or a text such as "2026-01-31T12:00:00Z"',
    });
  });
});
