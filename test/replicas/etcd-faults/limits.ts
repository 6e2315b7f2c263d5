import assert from 'node:assert/strict';
import { join } from 'node:path';
import { startCluster } from '#test/cluster.ts';
import { startEtcdCluster } from '#test/etcd-cluster.ts';
import { createMap, maps, withClient, type Scenario } from './scenario.ts';

const quotaBytes = 16 * 1024 * 1024;

/** What is too large for etcd, and an etcd that is full. */
export async function limits({ program, folder, say }: Scenario): Promise<void> {
  const etcd = await startEtcdCluster(program, join(folder, 'etcd'), {
    flags: ['--quota-backend-bytes', String(quotaBytes)],
  });
  const cluster = await startCluster({
    bundled: true,
    flags: ['--etcd-servers', etcd.endpoints],
    readyWithinMs: 60_000,
  });
  try {
    await withClient(cluster, async (client) => {
      // Below the limits of the API, above etcd's.
      const large = await createMap(client, 'large', { text: 'x'.repeat(900_000), more: 'é'.repeat(50_000) });
      assert.equal(large.status, 201);
      const template = {
        metadata: { labels: { a: 'b' } },
        spec: { containers: [{ name: 'a', image: 'a', args: ['x'.repeat(1_700_000)] }] },
      };
      const tooLarge = await client.send('POST', '/api/v1/namespaces/default/podtemplates', {
        body: { metadata: { name: 'large' }, template },
      });
      assert.equal(tooLarge.status, 500, tooLarge.text.slice(0, 300));
      assert.match(tooLarge.text, /etcdserver: request is too large/);
      say('a request that etcd finds too large: 500 etcdserver: request is too large');
      let full = await createMap(client, 'filling-0');
      for (let count = 1; full.status === 201 && count < 100; count++)
        full = await createMap(client, `filling-${count}`, { text: 'x'.repeat(900_000) });
      assert.equal(full.status, 500, full.text.slice(0, 300));
      assert.match(full.text, /etcdserver: mvcc: database space exceeded/);
      assert.equal((await client.send('GET', `${maps}/large`)).status, 200);
      assert.equal((await client.send('GET', '/livez')).status, 200);
      say('a full etcd: 500 etcdserver: mvcc: database space exceeded; reads go on');
    });
  } finally {
    await cluster.close();
    await etcd.close();
  }
}
