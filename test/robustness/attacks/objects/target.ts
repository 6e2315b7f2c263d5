import { execFileSync } from 'node:child_process';
import { http1Client, http2Client, type ApiClient } from '#test/api-client.ts';
import type { TurnsFile } from '#test/benchmark/turns-file.ts';
import { startCluster } from '#test/cluster.ts';
import { startReference } from '#test/reference.ts';
import { processMemoryMiB } from '#test/robustness/hostile/process-memory.ts';
import { startOtherClient, type OtherClient } from './other-client.ts';
import { processCpuMs } from './process-cpu.ts';
import { configMaps, definition, serviceAccounts, things } from './small-objects.ts';

/** A server that is attacked, with another client beside. */
export interface Target {
  readonly name: 'here' | 'reference';
  /** A client with a connection of its own: one that misbehaves may be ended. */
  readonly connect: () => ApiClient;
  readonly others: readonly OtherClient[];
  /** Processes that serve; another set after one has ended. */
  pids(): readonly number[];
  memoryMiB(): number;
  cpuMs(): number;
  /** What held the event loop of one of the processes longest since the last call; undefined where nobody looked. */
  takeLongestTurn(): Promise<LongestTurn | undefined>;
  close(): Promise<void>;
}

export interface LongestTurn {
  readonly process: string;
  /** Of processor time. */
  readonly ms: number;
}

interface Started {
  readonly url: string;
  readonly pki: string;
  readonly pids: () => readonly number[];
  readonly close: () => Promise<void>;
}

/** The bundles, as they run for users. */
export async function startHere(protocol: 1 | 2, turns?: TurnsFile): Promise<Target> {
  const cluster = await startCluster({ bundled: true });
  return prepare('here', { ...cluster, pids: () => childrenOf(cluster.launcher.pid ?? 0) }, protocol, turns);
}

export async function startThere(protocol: 1 | 2): Promise<Target> {
  const reference = await startReference();
  return prepare(
    'reference',
    { ...reference, pids: () => reference.pids.filter((pid) => processMemoryMiB(pid) > 0) },
    protocol,
  );
}

async function prepare(name: Target['name'], started: Started, protocol: 1 | 2, turns?: TurnsFile): Promise<Target> {
  const connect = (): ApiClient => (protocol === 1 ? http1Client(started) : http2Client(started));
  const client = connect();
  await client.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: definition });
  const until = performance.now() + 20_000;
  const object = (kind: typeof things): string =>
    `{"apiVersion":"${kind.apiVersion}","kind":"${kind.kind}","metadata":{"name":"read-by-others"}}`;
  for (const kind of [things, configMaps]) {
    while ((await client.send('POST', kind.collection, { body: object(kind) })).status !== 201) {
      if (performance.now() > until) throw new Error(`${kind.kind} could not be created on ${name}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  // Pods are refused without one, and nothing here makes it.
  await client.send('POST', serviceAccounts.collection, { body: { metadata: { name: 'default' } } });
  client.close();
  const address = { url: started.url, pki: started.pki };
  const read = (kind: typeof things): Promise<OtherClient> =>
    startOtherClient({ address, protocol, paths: [`${kind.collection}/read-by-others`] });
  const others = await Promise.all([read(configMaps), read(things)]);
  return {
    name,
    connect,
    others,
    pids: started.pids,
    memoryMiB: () => started.pids().reduce((sum, pid) => sum + processMemoryMiB(pid), 0),
    cpuMs: () => started.pids().reduce((sum, pid) => sum + processCpuMs(pid), 0),
    takeLongestTurn: () => (turns === undefined ? Promise.resolve(undefined) : longestTurn(turns)),
    close: async () => {
      await Promise.all(others.map((other) => other.close()));
      await started.close();
    },
  };
}

/** Processes tell of their turns every 100 ms. */
const turnReportMs = 150;

async function longestTurn(turns: TurnsFile): Promise<LongestTurn> {
  await new Promise((resolve) => setTimeout(resolve, turnReportMs));
  let most: LongestTurn = { process: 'none', ms: 0 };
  for (const [process, ms] of turns.takeLongest()) if (ms > most.ms) most = { process, ms };
  return most;
}

function childrenOf(parent: number): readonly number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, of]) => of === parent)
    .map(([pid]) => pid ?? 0)
    .toSorted((a, b) => a - b);
}
