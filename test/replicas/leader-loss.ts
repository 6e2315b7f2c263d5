// The leader of three etcd members is killed, five times, beside the reference on members of its own:
//   node --import tsx test/replicas/leader-loss.ts [KILLS]
// A write begins every 50 ms, whatever became of those before. How long the members take to elect is etcd's chance (one
// to two of its election time-outs), so what is compared is the time from the new leader on. Ends with 1 when writes go
// on later than the reference's by more than half a second in the median, or an acknowledged write is lost.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { http1Client, type ClusterAddress } from '#test/api-client.ts';
import { startCluster } from '#test/cluster.ts';
import { startEtcdCluster, type EtcdCluster, type EtcdMember } from '#test/etcd-cluster.ts';
import { referenceProgram, startReference } from '#test/reference.ts';

const kills = Number(process.argv[2] ?? 5);
const everyMs = 50;
const beforeMs = 1_000;
const afterMs = 10_000;
const settleMs = 3_000;
const electionProbeMs = 20;
/** etcd tells after 7 s of a write that it has lost. */
const slowMs = 5_000;
const marginMs = 500;
const maps = '/api/v1/namespaces/default/configmaps';

/** Times are from the moment at which a member left knew the new leader, and 0 for what came before it. */
interface Loss {
  /** From the kill. */
  readonly electedMs: number;
  /** Until a write that began after the kill was acknowledged. */
  readonly firstWriteMs: number;
  /** Until a write began from which on all were acknowledged. */
  readonly wellMs: number;
  readonly slow: number;
  readonly failed: readonly string[];
}

const etcd = referenceProgram('etcd');
if (etcd === undefined) throw new Error('there is no etcd: REFERENCE_BIN names its folder');
const sides: Readonly<Record<string, (endpoints: string) => Promise<ClusterAddress & { close(): Promise<void> }>>> = {
  quarterdeck: (endpoints) =>
    startCluster({ bundled: true, flags: ['--etcd-servers', endpoints], readyWithinMs: 60_000 }),
  reference: (etcdUrl) => startReference({ etcdUrl }),
};
const medians: Record<string, ReturnType<typeof medianOf>> = {};
for (const [side, start] of Object.entries(sides)) medians[side] = medianOf(await measure(side, etcd, start));
const [own, reference] = [medians['quarterdeck'], medians['reference']];
const isSlower =
  own === undefined ||
  reference === undefined ||
  own.firstWriteMs > reference.firstWriteMs + marginMs ||
  own.wellMs > reference.wellMs + marginMs;
if (isSlower) process.exitCode = 1;
console.log(isSlower ? 'FAILED: later than the reference' : 'leader loss: as soon as the reference');

async function measure(side: string, program: string, start: (typeof sides)[string]): Promise<Loss[]> {
  const folder = mkdtempSync(join(tmpdir(), 'leader-'));
  const members = await startEtcdCluster(program, folder, { members: 3 });
  const server = await start(members.endpoints);
  const losses: Loss[] = [];
  try {
    const acknowledged: string[] = [];
    for (let kill = 0; kill < kills; kill++) {
      await sleep(settleMs);
      const leader = await leaderOf(members.members);
      const loss = await lose(server, members, leader, `leader-${kill}`, acknowledged);
      losses.push(loss);
      console.log(
        `${side}: leader ${leader.url} killed: another elected after ${loss.electedMs} ms; from then on first write after ${loss.firstWriteMs} ms, all pass that began after ${loss.wellMs} ms; ${loss.slow} took more than ${slowMs} ms; ${summary(loss.failed)}`,
      );
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

async function lose(
  server: ClusterAddress,
  members: EtcdCluster,
  leader: EtcdMember,
  prefix: string,
  acknowledged: string[],
): Promise<Loss> {
  const client = http1Client(server);
  const done: { readonly beganMs: number; readonly endedMs: number; readonly failure: string }[] = [];
  const write = async (name: string): Promise<void> => {
    const beganMs = performance.now();
    const { status, text } = await client
      .send('POST', maps, { body: { metadata: { name } } })
      .catch((error: unknown) => ({ status: 0, text: String(error) }));
    if (status === 201) acknowledged.push(name);
    done.push({
      beganMs,
      endedMs: performance.now(),
      failure: status === 201 ? '' : `${status} ${/"message":"([^"]*)"/.exec(text)?.[1] ?? text}`,
    });
  };
  const running: Promise<void>[] = [];
  const writeFor = async (ms: number): Promise<void> => {
    for (const until = performance.now() + ms; performance.now() < until; await sleep(everyMs))
      running.push(write(`${prefix}-${running.length}`));
  };
  await writeFor(beforeMs);
  leader.signal('SIGKILL');
  const killedMs = performance.now();
  const left = members.members.filter((member) => member !== leader);
  const elected = leaderOf(left).then(() => performance.now());
  await writeFor(afterMs);
  await Promise.all(running);
  const electedMs = await elected;
  client.close();
  const firstMs = Math.min(
    ...done.filter(({ failure, beganMs }) => failure === '' && beganMs > killedMs).map(({ endedMs }) => endedMs),
  );
  const lastFailureMs = Math.max(
    killedMs,
    ...done.filter(({ failure }) => failure !== '').map(({ beganMs }) => beganMs),
  );
  const sinceElected = (ms: number): number => Math.max(0, Math.round(ms - electedMs));
  return {
    electedMs: Math.round(electedMs - killedMs),
    firstWriteMs: sinceElected(firstMs),
    wellMs: sinceElected(lastFailureMs),
    failed: done.map(({ failure }) => failure).filter((failure) => failure !== ''),
    slow: done.filter(({ beganMs, endedMs }) => endedMs - beganMs > slowMs).length,
  };
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

/** The one of `members` that leads, as soon as it says so itself. */
async function leaderOf(members: readonly EtcdMember[]): Promise<EtcdMember> {
  for (;;) {
    for (const member of members) {
      const answer = await fetch(`${member.url}/v3/maintenance/status`, { method: 'POST', body: '{}' }).catch(
        () => undefined,
      );
      const status = (await answer?.json()) as { leader?: string; header?: { member_id: string } } | undefined;
      if (status?.leader !== undefined && status.leader === status.header?.member_id) return member;
    }
    await sleep(electionProbeMs);
  }
}

function summary(failed: readonly string[]): string {
  const counts = Map.groupBy(failed, (text) => text);
  return counts.size === 0 ? 'none failed' : [...counts].map(([text, all]) => `${all.length} × ${text}`).join('; ');
}

function medianOf(losses: readonly Loss[]): Pick<Loss, 'firstWriteMs' | 'wellMs'> {
  const middle = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Infinity;
  return {
    firstWriteMs: middle(losses.map(({ firstWriteMs }) => firstWriteMs)),
    wellMs: middle(losses.map(({ wellMs }) => wellMs)),
  };
}
