import { setTimeout as sleep } from 'node:timers/promises';
// What clusters of tests cost (servers/host): the first one of a process, further ones, forks and rollbacks.
//   node --import tsx test/benchmark/host-clusters.ts [--times 20] [--objects 10000] [--stored 50000] [--reference]
// `--reference` starts kube-apiserver with etcd beside them (REFERENCE_BIN). Needs `npm run build`.
import { parseArgs } from 'node:util';
import { startHostProcess } from '#servers/host/client/host-process.ts';
import type { TestCluster } from '#servers/host/client/public-types.ts';
import { startCluster } from '#servers/host/client/start-cluster.ts';
import { JsonClient } from '#test/json-client.ts';
import { startReference } from '#test/reference.ts';
import { cpuMs, memoryMiB, processTree } from './processes.ts';

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '20' },
    objects: { type: 'string', default: '10000' },
    stored: { type: 'string', default: '50000' },
    reference: { type: 'boolean', default: false },
  },
});
const times = Number(values.times);
const parallel = 16;
/** A spare is made in the background; what follows is measured when the host rests. */
const restMs = 1_500;
const path = '/api/v1/namespaces/default/configmaps';
/** Of objects that no list of a rollback reads. */
const otherPath = '/api/v1/namespaces/kube-public/configmaps';

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function say(what: string, figures: readonly number[], unit: string, goal: string): void {
  process.stdout.write(`| ${what} | ${median(figures).toFixed(1)} ${unit} | ${goal} |\n`);
}

/** Processes that this one started. */
function hostPids(): number[] {
  return processTree(process.pid).filter((pid) => pid !== process.pid);
}

async function firstStarts(): Promise<void> {
  const figures = { ms: [] as number[], cpu: [] as number[], memory: [] as number[] };
  for (let round = 0; round < times; round++) {
    const host = startHostProcess();
    figures.ms.push(await msOf(() => host.calls.call('start', [])));
    const pids = hostPids();
    figures.cpu.push(cpuMs(pids));
    figures.memory.push(memoryMiB(pids));
    await host.end();
  }
  say('first startCluster', figures.ms, 'ms', '≤ 600');
  say('… CPU', figures.cpu, 'ms', '≤ 1000');
  say('… memory (Pss)', figures.memory, 'MiB', '≤ 100');
}

/** Further clusters, each of other flags than the one before, so that no spare is there. */
async function furtherStarts(): Promise<void> {
  const kinds = [[], ['--event-ttl=2h']];
  const clusters: TestCluster[] = [];
  for (const flags of kinds) clusters.push(await startCluster({ flags }));
  const ms: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < times; round++) {
    await sleep(restMs);
    const before = memoryMiB(hostPids());
    ms.push(await msOf(async () => clusters.push(await startCluster({ flags: kinds[round % 2] ?? [] }))));
    memory.push(memoryMiB(hostPids()) - before);
  }
  say('a further one', ms, 'ms', '≤ 300');
  say('… memory', memory, 'MiB', '≤ 30');
  await Promise.all(clusters.map((cluster) => cluster.close()));
}

async function withSpare(): Promise<void> {
  const clusters = [await startCluster(), await startCluster()];
  const ms: number[] = [];
  for (let round = 0; round < times; round++) {
    await sleep(restMs);
    ms.push(await msOf(async () => clusters.push(await startCluster())));
    await clusters.pop()?.close();
  }
  say('startCluster with a spare', ms, 'ms', '≤ 20');
  await Promise.all(clusters.map((cluster) => cluster.close()));
}

async function forks(cluster: TestCluster, what: string, goal: string): Promise<void> {
  await (await cluster.fork()).close();
  const ms: number[] = [];
  for (let round = 0; round < Math.min(times, 10); round++) {
    await sleep(restMs);
    let fork: TestCluster | undefined;
    ms.push(await msOf(async () => (fork = await cluster.fork())));
    await fork?.close();
  }
  say(`fork of ${what}, with a spare`, ms, 'ms', goal);
}

async function create(client: JsonClient, prefix: string, count: number, where = path): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const metadata = { name: `${prefix}-${next++}`, labels: { made: prefix } };
      const { status } = await client.call('POST', where, { metadata, data: { a: 'x'.repeat(400) } });
      if (status !== 201) throw new Error(`${metadata.name}: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
}

/** Until a list is true again. */
async function rollbacks(cluster: TestCluster, client: JsonClient, count: number, goal: string): Promise<void> {
  const mark = await cluster.mark();
  const ms: number[] = [];
  for (let round = 0; round < (count > 1000 ? 3 : times); round++) {
    await create(client, `changed-${count}-${round}`, count);
    ms.push(
      await msOf(async () => {
        await cluster.rollback(mark);
        const { body } = await client.call('GET', `${path}?labelSelector=made=changed-${count}-${round}`);
        const { items } = body as { readonly items: readonly unknown[] };
        if (items.length > 0) throw new Error(`${items.length} objects are still there`);
      }),
    );
  }
  await cluster.release(mark);
  say(`rollback of ${count} objects`, ms, 'ms', goal);
}

async function referenceStarts(): Promise<void> {
  const ms: number[] = [];
  for (let round = 0; round < Math.min(times, 5); round++) {
    const reference = await startReference();
    ms.push(reference.readyMs);
    await reference.close();
  }
  say('kube-apiserver with etcd', ms, 'ms', '');
}

process.stdout.write('| | median | goal |\n|---|---|---|\n');
await firstStarts();
await furtherStarts();
await withSpare();
const cluster = await startCluster();
const client = JsonClient.ofKubeconfig(cluster.kubeconfig);
await forks(cluster, 'a small cluster', '≤ 20');
for (const [count, goal] of [
  [20, '≤ 10'],
  [300, '≤ 60'],
  [Number(values.objects), '≤ 500'],
] as const)
  await rollbacks(cluster, client, count, goal);
await create(client, 'stored', Number(values.objects), otherPath);
await forks(cluster, `${values.objects} objects`, '≤ 100');
await create(client, 'more', Number(values.stored) - Number(values.objects), otherPath);
for (const count of [20, 300]) await rollbacks(cluster, client, count, `with ${values.stored} in the store: 1.5 times`);
await client.close();
await cluster.close();
if (values.reference) await referenceStarts();
