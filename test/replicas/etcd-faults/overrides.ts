import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createStorage } from '#shared/storage/create/create-storage.ts';
import { http2Client } from '#test/api-client.ts';
import { startCluster } from '#test/cluster.ts';
import { startEtcdCluster } from '#test/etcd-cluster.ts';
import { createMap, maps, withClient, type Scenario } from './scenario.ts';

const events = '/api/v1/namespaces/default/events';

/** Events lie in an etcd of their own, which counts its own revisions. */
export async function overrides({ program, folder, say }: Scenario): Promise<void> {
  const [main, other] = await Promise.all([
    startEtcdCluster(program, join(folder, 'main')),
    startEtcdCluster(program, join(folder, 'other')),
  ]);
  const flags = ['--etcd-servers', main.endpoints, '--etcd-servers-overrides', `/events#${other.endpoints}`];
  const cluster = await startCluster({ bundled: true, flags, readyWithinMs: 60_000 });
  try {
    await withClient(cluster, async (client) => {
      for (let index = 0; index < 5; index++) assert.equal((await createMap(client, `map-${index}`)).status, 201);
      const body = {
        metadata: { name: 'e' },
        involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
        reason: 'Test',
        type: 'Normal',
      };
      const created = await client.send('POST', events, { body });
      assert.equal(created.status, 201, created.text);
      const watching = http2Client(cluster);
      const watch = await watching.open(
        `${events}?watch=1&resourceVersion=${(created.json as { metadata: { resourceVersion: string } }).metadata.resourceVersion}`,
      );
      assert.equal((await client.send('POST', events, { body: { ...body, metadata: { name: 'f' } } })).status, 201);
      assert.match((await watch.until(1))[0] ?? '', /"name":"f"/);
      watching.close();
      assert.equal(((await client.send('GET', events)).json as { items: unknown[] }).items.length, 2);
      assert.equal(
        (await client.send('GET', `/apis/events.k8s.io/v1/namespaces/default/events/e`)).status,
        200,
        'under its other group too',
      );
      assert.equal((await client.send('GET', `${maps}/map-1`)).status, 200);
    });
    const keysOf = async (endpoints: string): Promise<string[]> => {
      const storage = createStorage({ endpoints: [endpoints] });
      const { items } = await storage.list('/');
      await storage.close();
      return items.map(({ key }) => key);
    };
    assert.deepEqual((await keysOf(other.endpoints)).toSorted(), ['/events/default/e', '/events/default/f']);
    assert.equal(
      (await keysOf(main.endpoints)).some((key) => key.startsWith('/events/')),
      false,
    );
    say('events are written, listed and watched in their own etcd, and nowhere else');
  } finally {
    await cluster.close();
    await main.close();
    await other.close();
  }
}
