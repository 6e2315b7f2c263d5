import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestCluster } from '#servers/host/client/public-types.ts';
import { startCluster } from '#servers/host/client/start-cluster.ts';
import { http1Client, type ApiClient } from '#test/api-client.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const things = '/apis/late.example.com/v1/namespaces/default/things';
const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: things.late.example.com }
spec:
  group: late.example.com
  names: { plural: things, singular: thing, kind: Thing }
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: { openAPIV3Schema: { type: object } }
`;

describe('garbage collector of a test cluster', { timeout: 60_000 }, () => {
  let cluster: TestCluster;
  let client: ApiClient;
  before(async () => {
    cluster = await startCluster();
    client = http1Client({ url: cluster.url, pki: join(dirname(cluster.kubeconfig), 'pki') });
  });
  after(async () => {
    client.close();
    await cluster.close();
  });

  const make = async (path: string, object: object): Promise<string> => {
    const { status, json, text } = await client.send('POST', path, { body: object });
    assert.equal(status, 201, text);
    return (json as { metadata: { uid: string } }).metadata.uid;
  };
  const gone = async (path: string): Promise<void> => {
    while ((await client.send('GET', path)).status !== 404) await sleep(5);
  };
  /** Makes the collector follow the kind of a definition that was made a moment ago. */
  const collectThing = async (): Promise<void> => {
    await cluster.apply(definition);
    const uid = await make(maps, { metadata: { name: 'owner' } });
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
    await make(things, { apiVersion: 'late.example.com/v1', kind: 'Thing', metadata: { name: 'a', ownerReferences } });
    await client.send('DELETE', `${maps}/owner`);
    await gone(`${things}/a`);
  };

  test('lets owners go at once after a rollback that took a definition away whose objects it knew', async () => {
    const mark = await cluster.mark();
    await collectThing();
    await cluster.rollback(mark);
    const beganMs = performance.now();
    await make(maps, { metadata: { name: 'waits' } });
    await client.send('DELETE', `${maps}/waits`, {
      body: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Foreground' },
    });
    await gone(`${maps}/waits`);
    // It took 10 s while the collector waited for a list of what is not served.
    assert.ok(performance.now() - beganMs < 5_000, `it took ${performance.now() - beganMs} ms`);
    // The definition comes back, and is looked after as before.
    await collectThing();
  });
});
