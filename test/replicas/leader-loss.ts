// The leader of three etcd members is killed, five times, beside the reference on members of its own:
//   node --import tsx test/replicas/leader-loss.ts [KILLS]
// Ends with 1 when writes go on later than the reference's by more than half a second in the median, or an acknowledged
// write is lost.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { http1Client, type ApiClient, type ClusterAddress } from '../api-client.ts';
import { startCluster } from '../cluster.ts';
import { startEtcdCluster, type EtcdCluster, type EtcdMember } from '../etcd-cluster.ts';
import { referenceProgram, startReference } from '../reference.ts';

const kills = Number(process.argv[2] ?? 5);
const writers = 4;
const settleMs = 3_000;
const patienceMs = 30_000;
const marginMs = 500;
const maps = '/api/v1/namespaces/default/configmaps';

interface Loss {
  /** From the kill until a write that began after it was acknowledged. */
  readonly firstWriteMs: number;
  /** Until each writer, that waits for its answers, had one acknowledged. */
  readonly allWriteMs: number;
  readonly failed: readonly string[];
}

const etcd = referenceProgram('etcd');
if (etcd === undefined) throw new Error('there is no etcd: REFERENCE_BIN names its folder');
const sides: Readonly<Record<string, (endpoints: string) => Promise<ClusterAddress & { close(): Promise<void> }>>> = {
  quarterdeck: (endpoints) => startCluster({ bundled: true, flags: ['--etcd-servers', endpoints], readyWithinMs: 60_000 }),
  reference: (etcdUrl) => startReference({ etcdUrl }),
};
const medians: Record<string, Loss> = {};
for (const [side, start] of Object.entries(sides)) medians[side] = medianOf(await measure(side, etcd, start));
const [own, reference] = [medians['quarterdeck'], medians['reference']];
const late = own === undefined || reference === undefined || own.firstWriteMs > reference.firstWriteMs + marginMs || own.allWriteMs > reference.allWriteMs + marginMs;
if (late) process.exitCode = 1;
console.log(late ? 'FAILED: later than the reference' : 'leader loss: as soon as the reference');

async function measure(side: string, program: string, start: (typeof sides)[string]): Promise<Loss[]> {
  const folder = mkdtempSync(join(tmpdir(), 'leader-'));
  const members = await startEtcdCluster(program, folder, { members: 3 });
  const server = await start(members.endpoints);
  const losses: Loss[] = [];
  try {
    const acknowledged: string[] = [];
    for (let kill = 0; kill < kills; kill++) {
      await sleep(settleMs);
      const leader = await leaderOf(members);
      const loss = await lose(server, leader, `leader-${kill}`, acknowledged);
      losses.push(loss);
      console.log(`${side}: leader ${leader.url} killed: first write after ${loss.firstWriteMs} ms, of all ${writers} writers after ${loss.allWriteMs} ms; ${summary(loss.failed)}`);
      await leader.restart();
    }
    await checkStored(side, server, acknowledged);
  } finally {
    await server.close();
    await members.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return losses;
}

/** Kills while writers are at it, and waits until each of them had a write that it began afterwards acknowledged. */
async function lose(server: ClusterAddress, leader: EtcdMember, prefix: string, acknowledged: string[]): Promise<Loss> {
  let killedMs = Infinity;
  const failed: string[] = [];
  const write = async (client: ApiClient, index: number): Promise<number> => {
    for (let count = 0; ; count++) {
      const began = performance.now();
      const name = `${prefix}-${index}-${count}`;
      const { status, text } = await client.send('POST', maps, { body: { metadata: { name } } }).catch((error: unknown) => ({ status: 0, text: String(error) }));
      if (status === 201) acknowledged.push(name);
      if (status === 201 && began > killedMs) return performance.now() - killedMs;
      if (status !== 201) failed.push(`${status} ${text.match(/"message":"([^"]*)"/)?.[1] ?? text}`);
      if (performance.now() > killedMs + patienceMs) throw new Error(`no write within ${patienceMs} ms: ${failed.at(-1)}`);
      await sleep(5);
    }
  };
  const clients = Array.from({ length: writers }, () => http1Client(server));
  const running = Promise.all(clients.map(write));
  await sleep(500);
  leader.signal('SIGKILL');
  killedMs = performance.now();
  const after = await running;
  for (const client of clients) client.close();
  return { firstWriteMs: Math.round(Math.min(...after)), allWriteMs: Math.round(Math.max(...after)), failed };
}

async function checkStored(side: string, server: ClusterAddress, acknowledged: readonly string[]): Promise<void> {
  const client = http1Client(server);
  const { items } = (await client.send('GET', maps)).json as { items: { metadata: { name: string } }[] };
  client.close();
  const stored = new Set(items.map(({ metadata }) => metadata.name));
  const lost = acknowledged.filter((name) => !stored.has(name));
  console.log(`${side}: ${acknowledged.length} writes acknowledged, ${lost.length} lost`);
  if (lost.length > 0) process.exitCode = 1;
}

async function leaderOf(members: EtcdCluster): Promise<EtcdMember> {
  for (;;) {
    for (const member of members.members) {
      const answer = await fetch(`${member.url}/v3/maintenance/status`, { method: 'POST', body: '{}' }).catch(() => undefined);
      const status = (await answer?.json()) as { leader?: string; header?: { member_id: string } } | undefined;
      if (status?.leader !== undefined && status.leader === status.header?.member_id) return member;
    }
    await sleep(50);
  }
}

function summary(failed: readonly string[]): string {
  const counts = Map.groupBy(failed, (text) => text);
  return counts.size === 0 ? 'none failed' : [...counts].map(([text, all]) => `${all.length} × ${text}`).join('; ');
}

function medianOf(losses: readonly Loss[]): Loss {
  const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Infinity;
  return { firstWriteMs: middle(losses.map(({ firstWriteMs }) => firstWriteMs)), allWriteMs: middle(losses.map(({ allWriteMs }) => allWriteMs)), failed: [] };
}
