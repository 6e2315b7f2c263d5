// Starts and closes clusters in this process, one after the other: no handle, timer or watch may be left, and, with
// --heap, memory may not grow over the second half of them. open-and-close.ts [COUNT] [--heap], under `--expose-gc`
import { rmSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { http1Client } from '#test/api-client.ts';
import { startHostedCluster } from './start-cluster.ts';

/** A cluster that is held takes 3 MiB. */
const slackMiB = 4;

async function openAndClose(): Promise<void> {
  const cluster = await startHostedCluster();
  const client = http1Client(cluster);
  const path = '/api/v1/namespaces/default/configmaps';
  for (let index = 0; index < 50; index++)
    await client.send('POST', path, { body: { metadata: { name: `c${index}` } } });
  await client.send('GET', path);
  const watch = await client.open(`${path}?watch=true`);
  await watch.until(50);
  watch.close();
  client.close();
  await cluster.close();
  rmSync(cluster.dataDir, { recursive: true });
}

/**
 * What keeps the process alive beside its output. What is closed in the turns after is awaited, and so are requests to
 * the file system, which end by themselves: a module that is imported late is read by some.
 */
async function activeResources(): Promise<string[]> {
  const started = performance.now();
  for (let turns = 0; ; turns++) {
    const active = process.getActiveResourcesInfo().filter((name) => !outputs.has(name));
    if (active.length === 0) return active;
    const ends = active.every((name) => name.startsWith('FSReq')) && performance.now() - started < 10_000;
    if (turns >= 1_000 && !ends) return active;
    await turn();
  }
}

const outputs = new Set(['PipeWrap', 'TTYWrap', 'Immediate']);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { heap: { type: 'boolean', default: false } },
});
const count = Number(positionals[0] ?? 20);
/** Caches of the process fill up to their bounds until then. */
const settledAfter = Math.ceil(count / 2);
const heapsMiB: number[] = [];
const left: string[] = [];
for (let opened = 0; opened < count; opened++) {
  await openAndClose();
  left.push(...(await activeResources()));
  globalThis.gc?.();
  heapsMiB.push(process.memoryUsage().heapUsed / 1024 ** 2);
}
const growthMiB = (heapsMiB.at(-1) ?? 0) - (heapsMiB[settledAfter - 1] ?? 0);
console.log(
  `${count} clusters opened and closed: ${left.length} left (${left.join(', ')}), ` +
    `heap ${heapsMiB.map(Math.round).join(' ')} MiB, ${growthMiB.toFixed(1)} more than after ${settledAfter}`,
);
process.exitCode = left.length > 0 || (values.heap && growthMiB > slackMiB) ? 1 : 0;
