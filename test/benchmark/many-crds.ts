// Many large definitions: 500 CRDs with schemas of 100 KiB each, on this server and on the reference in turn.
//   node --import tsx test/benchmark/many-crds.ts [--count 500] [--kib 100] [--only ours|reference] [--write]
// Says how fast they are made, how soon all is ready again after a restart, what each costs in memory, and how long the
// first use of each takes. Fails when ours misses a target. --write puts the figures into README.md.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { JsonClient } from '#test/json-client.ts';
import { referenceProgram } from '#test/reference.ts';
import { adminToken } from '#test/tokens.ts';
import { largeDefinition, objectOf } from './large-definition.ts';
import { cpuMs, memoryMiB } from './processes.ts';
import { ours, reference, type RunningSubject, type Subject } from './subjects.ts';
import { writeFigures } from './write-figures.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '500' },
    kib: { type: 'string', default: '100' },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
});
const count = Number(values.count);
const kib = Number(values.kib);
const parallel = 4;
const settleMs = 4000;
const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

interface Figures {
  readonly perSecond: number;
  /** CPU time of all processes; machines are noisy. */
  readonly cpuEachMs: number;
  readonly restartCpuMs: number;
  /** From the start of the first process to /readyz with all definitions there. */
  readonly restartMs: number;
  /** From ready to the first 2xx of the discovery of the last group. */
  readonly firstDiscoveryMs: number;
  /** KiB a definition by process: when made; after a restart; after the first use of each. */
  readonly kibEach: { readonly made: number[]; readonly restarted: number[]; readonly used: number[] };
  readonly firstUse: { readonly p50Ms: number; readonly longestMs: number };
}

const heavy = ['extensions', 'apiserver', 'gateway', 'core', 'store', 'etcd'];

/** MiB by process: who serves the definitions first. */
function memoryOf({ pids }: RunningSubject): number[] {
  return heavy.flatMap((name) => (pids[name] === undefined ? [] : [memoryMiB([pids[name]])]));
}

async function measure(subject: Subject): Promise<Figures> {
  let server = await subject.start();
  await sleep(settleMs);
  const empty = memoryOf(server);
  const each = (): number[] => memoryOf(server).map((now, index) => ((now - (empty[index] ?? 0)) * 1024) / count);
  const cpuBefore = cpuMs(Object.values(server.pids));
  const perSecond = await makeAll(new JsonClient(server.url, adminToken));
  const cpuEachMs = (cpuMs(Object.values(server.pids)) - cpuBefore) / count;
  await sleep(settleMs);
  const made = each();
  await server.stop();
  const databaseMs = server.pids['etcd'] === undefined ? 0 : cpuMs([server.pids['etcd']]);
  server = await subject.start();
  const restartMs = server.readyMs;
  const restartCpuMs = cpuMs(Object.values(server.pids)) - databaseMs;
  const client = new JsonClient(server.url, adminToken);
  const firstDiscoveryMs = await until(client, objectOf(count - 1).path);
  await sleep(settleMs);
  const restarted = each();
  const firstUse = await useAll(client);
  await sleep(settleMs);
  const used = each();
  await server.stop();
  return {
    perSecond,
    cpuEachMs,
    restartMs,
    restartCpuMs,
    firstDiscoveryMs,
    kibEach: { made, restarted, used },
    firstUse,
  };
}

/** A second, from the first request to the last definition that is served. */
async function makeAll(client: JsonClient): Promise<number> {
  const started = performance.now();
  await inParallel(parallel, async (index) => {
    const { status, body } = await client.call('POST', definitionsPath, largeDefinition(index, kib * 1024));
    if (status !== 201) throw new Error(`definition ${index}: ${status} ${JSON.stringify(body)}`);
  });
  await inParallel(parallel, (index) => until(client, objectOf(index).path));
  return (count * 1000) / (performance.now() - started);
}

/** Makes an object of each definition, one after the other. */
async function useAll(client: JsonClient): Promise<Figures['firstUse']> {
  const taken: number[] = [];
  await inParallel(1, async (index) => {
    const { path, object } = objectOf(index);
    const started = performance.now();
    const { status, body } = await client.call('POST', path, object);
    taken.push(performance.now() - started);
    if (status !== 201) throw new Error(`object of ${index}: ${status} ${JSON.stringify(body)}`);
  });
  taken.sort((a, b) => a - b);
  return { p50Ms: taken[Math.floor(taken.length / 2)] ?? Number.NaN, longestMs: taken.at(-1) ?? Number.NaN };
}

/** Milliseconds until a path answers 200. */
async function until(client: JsonClient, path: string): Promise<number> {
  const started = performance.now();
  while ((await client.call('GET', path)).status !== 200) await sleep(20);
  return performance.now() - started;
}

async function inParallel(workers: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (next < count) await work(next++);
    }),
  );
}

async function run(subject: Subject): Promise<Figures> {
  try {
    return await measure(subject);
  } finally {
    await subject.end();
  }
}

const withReference = values.only !== 'ours' && referenceProgram('kube-apiserver') !== undefined;
const own = values.only === 'reference' ? undefined : await run(ours());
const theirs = withReference ? await run(await reference()) : undefined;
const show = (value: number | undefined, digits = 0): string => (value === undefined ? '–' : value.toFixed(digits));
const sum = (of: number[] | undefined): number | undefined => of?.reduce((a, b) => a + b, 0);
let missed = false;
function row(
  what: string,
  mine: number | undefined,
  other: number | undefined,
  target?: { readonly most?: number; readonly least?: number },
  digits = 0,
): string {
  const fits = mine === undefined || (mine <= (target?.most ?? Infinity) && mine >= (target?.least ?? 0));
  if (!fits) missed = true;
  const aim = target === undefined ? '' : target.most === undefined ? `≥ ${target.least}` : `≤ ${target.most}`;
  return `| ${what} | ${fits ? show(mine, digits) : `**${show(mine, digits)}**`} | ${show(other, digits)} | ${aim} |`;
}
const table = [
  `${count} definitions with schemas of ${kib} KiB, ${new Date().toISOString().slice(0, 10)}:`,
  '',
  '| | ours | reference | target |',
  '|---|---|---|---|',
  row('made and served, a second', own?.perSecond, theirs?.perSecond, { least: 20 }),
  row('CPU of each, ms', own?.cpuEachMs, theirs?.cpuEachMs, undefined, 1),
  row('ready again after a restart, ms', own?.restartMs, theirs?.restartMs, { most: 2500 }),
  row('CPU until then, ms', own?.restartCpuMs, theirs?.restartCpuMs),
  row('from ready to the last one served, ms', own?.firstDiscoveryMs, theirs?.firstDiscoveryMs),
  row('first object of each: median, ms', own?.firstUse.p50Ms, theirs?.firstUse.p50Ms, undefined, 1),
  row('first object of each: longest, ms', own?.firstUse.longestMs, theirs?.firstUse.longestMs, { most: 300 }),
  row('KiB each when made: extensions', own?.kibEach.made[0], theirs?.kibEach.made[0], { most: 1024 }),
  row('KiB each when made: gateway', own?.kibEach.made[1], undefined, { most: 205 }),
  row('KiB each after a restart: extensions', own?.kibEach.restarted[0], theirs?.kibEach.restarted[0], { most: 1024 }),
  row('KiB each after a restart: gateway', own?.kibEach.restarted[1], undefined, { most: 205 }),
  row('KiB each after first use: extensions', own?.kibEach.used[0], theirs?.kibEach.used[0], { most: 1024 }),
  row('KiB each after first use: gateway', own?.kibEach.used[1], undefined, { most: 205 }),
  row('KiB each after first use: all processes', sum(own?.kibEach.used), sum(theirs?.kibEach.used)),
].join('\n');
console.log(table);
if (values.write) writeFigures('definitions', table);
if (missed) process.exitCode = 1;
