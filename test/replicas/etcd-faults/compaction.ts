import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createStorage } from '#shared/storage/create/create-storage.ts';
import { startCluster } from '#test/cluster.ts';
import { startEtcdCluster } from '#test/etcd-cluster.ts';
import { createMap, maps, withClient, type Scenario } from './scenario.ts';

interface ListAnswer {
  readonly metadata: { readonly resourceVersion: string; readonly continue: string };
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

/**
 * Somebody else compacts: what is too old is 410 and says so, what is new goes on; continue tokens hold on either core.
 */
export async function compaction({ program, folder, say }: Scenario): Promise<void> {
  const etcd = await startEtcdCluster(program, join(folder, 'etcd'));
  const cluster = await startCluster({
    bundled: true,
    flags: ['--etcd-servers', etcd.endpoints, '--core-replicas', '2'],
    readyWithinMs: 60_000,
  });
  const storage = createStorage({ endpoints: [etcd.endpoints] });
  try {
    await withClient(cluster, async (client) => {
      const made = Array.from({ length: 10 }, (_, index) => `map-${index}`);
      for (const name of made) assert.equal((await createMap(client, name)).status, 201);
      const first = (await client.send('GET', `${maps}?limit=3`)).json as ListAnswer;
      assert.equal((await createMap(client, 'later')).status, 201);
      // Requests go to the cores in turn, so this asks both.
      for (let count = 0; count < 6; count++) {
        const next = (await client.send('GET', `${maps}?limit=100&continue=${first.metadata.continue}`))
          .json as ListAnswer;
        assert.equal(next.metadata.resourceVersion, first.metadata.resourceVersion);
        assert.ok(!next.items.some(({ metadata }) => metadata.name === 'later'), 'the list is that of its beginning');
      }
      say('continue tokens are good on every core, at the version of their list');
      await storage.compact(await storage.currentRevision());
      assert.equal((await createMap(client, 'after-compaction')).status, 201);
      const old = await client.send('GET', `${maps}?watch=1&timeoutSeconds=5&resourceVersion=1`);
      // A cache may hold more of the past than etcd does, but never a part of what it is asked for.
      const expired = old.status === 410 || old.text.includes('"code":410');
      assert.ok(
        expired || [...made, 'later', 'after-compaction'].every((name) => old.text.includes(`"name":"${name}"`)),
        old.text,
      );
      assert.equal(
        ((await client.send('GET', maps)).json as ListAnswer).items.some(
          ({ metadata }) => metadata.name === 'after-compaction',
        ),
        true,
      );
      say(`a watch from before the compaction: ${old.status} ${old.text.trim().slice(0, 160)}`);
    });
  } finally {
    await storage.close();
    await cluster.close();
    await etcd.close();
  }
}
