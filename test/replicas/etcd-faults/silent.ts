import assert from 'node:assert/strict';
import { join } from 'node:path';
import { startCluster } from '#test/cluster.ts';
import { startEtcdCluster } from '#test/etcd-cluster.ts';
import { ResumingWatch } from '#test/replicas/resuming-watch.ts';
import { Link } from '#test/robustness/faults/link.ts';
import { createMap, maps, untilWritten, withClient, type Scenario } from './scenario.ts';

/** Two pings: the connection is asked after 10 s of silence, and given up 5 s later. */
const resumesWithinMs = 20_000;

/** The connections to the only etcd are gone without a word, as behind a way that forgot them; new ones work. */
export async function silent({ program, folder, say }: Scenario): Promise<void> {
  const etcd = await startEtcdCluster(program, join(folder, 'etcd'));
  const link = new Link('etcd', 0, Number(new URL(etcd.endpoints).port));
  const port = await link.open();
  const cluster = await startCluster({
    bundled: true,
    flags: ['--etcd-servers', `http://127.0.0.1:${port}`],
    readyWithinMs: 60_000,
  });
  try {
    await withClient(cluster, async (client) => {
      const { metadata } = (await createMap(client, 'before')).json as { metadata: { resourceVersion: string } };
      const watch = new ResumingWatch(cluster, maps, metadata.resourceVersion);
      link.cutServerSide();
      const resumedMs = await untilWritten(client, 'after', resumesWithinMs);
      const { status } = await client.send('GET', maps);
      assert.equal(status, 200, 'caches go on too');
      const deadline = performance.now() + resumesWithinMs;
      while (watch.added.length === 0) {
        assert.ok(performance.now() < deadline, 'the watch goes on');
        await untilWritten(client, 'again', resumesWithinMs);
      }
      await watch.stop();
      say(`writes go on ${resumedMs} ms after all connections to the only etcd fell silent`);
    });
  } finally {
    await cluster.close();
    await link.close();
    await etcd.close();
  }
}
