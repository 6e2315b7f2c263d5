/**
 * `node --import tsx test/robustness/attacks/objects/restart.ts [MS]`: core is killed three times in a row with 5,000
 * objects stored; each time it is to serve again, and within MS where that is given (3,000 on a quiet machine). Ends
 * with 1 where it takes longer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { http1Client } from '#test/api-client.ts';
import { killProcess, processOf } from '#test/cluster-processes.ts';
import { startCluster } from '#test/cluster.ts';

const [objects, kills, atATime] = [5_000, 3, 32];
const mostMs = Number(process.argv[2] ?? Number.POSITIVE_INFINITY);
const maps = '/api/v1/namespaces/default/configmaps';

const cluster = await startCluster({ bundled: true });
const client = http1Client(cluster);
try {
  let next = 0;
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      while (next < objects)
        await client.send('POST', maps, {
          body: { metadata: { name: `a${next++}` }, data: { text: 'x'.repeat(1000) } },
        });
    }),
  );
  for (let kill = 0; kill < kills; kill++) {
    const before = processOf(cluster, 'core');
    killProcess(cluster, 'core');
    const began = performance.now();
    while (processOf(cluster, 'core') === before || (await client.send('GET', `${maps}/a1`)).status !== 200)
      await sleep(10);
    const tookMs = Math.round(performance.now() - began);
    process.stdout.write(`core served again after ${tookMs} ms\n`);
    if (tookMs > mostMs) process.exitCode = 1;
  }
} finally {
  client.close();
  await cluster.close();
}
