import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCluster } from '#test/cluster.ts';
import { startEtcdCluster } from '#test/etcd-cluster.ts';
import { ResumingWatch } from '#test/replicas/resuming-watch.ts';
import { maps, untilReady, untilWritten, withClient, type Scenario } from './scenario.ts';

const resumesWithinMs = 15_000;

/** Each of three members in turn is killed, then stands still: the others go on, and watches miss nothing. */
export async function members({ program, folder, say }: Scenario): Promise<void> {
  const etcd = await startEtcdCluster(program, join(folder, 'etcd'), { members: 3 });
  const two = ['--core-replicas', '2', '--extensions-replicas', '2', '--gateway-replicas', '2'];
  const cluster = await startCluster({
    bundled: true,
    flags: ['--etcd-servers', etcd.endpoints, ...two],
    readyWithinMs: 90_000,
  });
  try {
    await withClient(cluster, async (client) => {
      const { json } = await client.send('GET', `${maps}?limit=1`);
      const watch = new ResumingWatch(
        cluster,
        maps,
        (json as { metadata: { resourceVersion: string } }).metadata.resourceVersion,
      );
      for (const [index, member] of etcd.members.entries()) {
        member.signal('SIGKILL');
        const killedMs = await untilWritten(client, `killed-${index}`, resumesWithinMs);
        await member.restart();
        member.signal('SIGSTOP');
        const stoodMs = await untilWritten(client, `stood-${index}`, resumesWithinMs);
        await sleep(2_000);
        member.signal('SIGCONT');
        await untilWritten(client, `back-${index}`, resumesWithinMs);
        say(`member ${index + 1}: writes go on ${killedMs} ms after it was killed, ${stoodMs} ms after it stood still`);
      }
      await untilReady(client, resumesWithinMs);
      const stored = ((await client.send('GET', maps)).json as { items: { metadata: { name: string } }[] }).items
        .map(({ metadata }) => metadata.name)
        .filter((name) => name !== 'kube-root-ca.crt');
      const deadline = performance.now() + resumesWithinMs;
      while (watch.added.length < stored.length && performance.now() < deadline) await sleep(20);
      await watch.stop();
      assert.deepEqual(watch.added.toSorted(), stored.toSorted(), 'the watch saw everything, and once');
      say(`a watch over all of it saw each of ${stored.length} objects once`);
    });
  } finally {
    await cluster.close();
    await etcd.close();
  }
}
