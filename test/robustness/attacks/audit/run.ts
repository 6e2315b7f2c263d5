/**
 * `node --import tsx test/robustness/attacks/audit/run.ts [--seconds N] [--rate N] [--few] [--slow MS] [--bounded]`:
 * writes so many times a second, in turn to a server without an audit log and to one whose audit webhook hangs, at
 * level RequestResponse; prints what the writes waited for, the memory of the gateways, and how many events were
 * dropped. `--slow`: the webhook answers, each time after so many milliseconds. `--few`: only some hundred events are
 * kept, so that some are dropped in seconds. Ends with 1 where a write fails or no event was counted as dropped, and
 * with `--bounded`, for a quiet machine, where writes wait more than half as long again (p99), or the memory of the
 * gateway grew by a tenth in the last half of the time. In the reference, the memory grows with the events
 * (kubernetes/kubernetes#85489).
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { http1Client } from '#test/api-client.ts';
import { processesOf } from '#test/cluster-processes.ts';
import { startCluster, type Cluster } from '#test/cluster.ts';
import { processMemoryMiB } from '#test/robustness/hostile/process-memory.ts';
import { auditedFlags, droppedEvents, fewEvents } from './audited-cluster.ts';
import { startHangingWebhook } from './hanging-webhook.ts';
import { startSlowWebhook } from './slow-webhook.ts';
import { prepareObjects, writeAt } from './write-load.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    rate: { type: 'string', default: '1000' },
    slow: { type: 'string' },
    few: { type: 'boolean', default: false },
    bounded: { type: 'boolean', default: false },
  },
});
const turns = 6;
const turnMs = (Number(values.seconds) * 1000) / turns;
const mostTimes = 1.5;
/** Below it a difference is that of the machine. */
const leastMs = 10;
const growth = 1.1;
const faults: string[] = [];

const folder = mkdtempSync(join(tmpdir(), 'hanging-audit-'));
const webhook = values.slow === undefined ? await startHangingWebhook() : await startSlowWebhook(Number(values.slow));
webhook.writeKubeconfig(join(folder, 'kubeconfig'));
writeFileSync(
  join(folder, 'policy.yaml'),
  'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: RequestResponse}]\n',
);
const without = await startCluster({ bundled: true });
const audited = await startCluster({
  bundled: true,
  flags: [...auditedFlags(folder), ...(values.few ? fewEvents : [])],
});
try {
  for (const cluster of [without, audited]) {
    await prepareObjects(cluster);
    await writeAt(cluster, Number(values.rate) / 2, 2000);
  }
  await compare();
} finally {
  await Promise.all([without.close(), audited.close()]);
  await webhook.close();
  rmSync(folder, { recursive: true, force: true });
}
for (const fault of faults) process.stdout.write(`FAILED: ${fault}\n`);
process.exit(faults.length > 0 ? 1 : 0);

async function compare(): Promise<void> {
  const [quiet, busy]: [number[], number[]] = [[], []];
  const memory: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    quiet.push(await play('without', without));
    busy.push(await play(values.slow === undefined ? 'webhook hangs' : 'webhook is slow', audited));
    memory.push(gatewayMiB(audited));
  }
  const admin = http1Client(audited);
  const dropped = await droppedEvents(admin);
  admin.close();
  const [alone, beside] = [median(quiet), median(busy)];
  process.stdout.write(`median p99 ${alone.toFixed(1)} ms without, ${beside.toFixed(1)} ms with; ${dropped} dropped\n`);
  if (dropped === 0) faults.push('no event was counted as dropped');
  if (!values.bounded) return;
  if (beside > Math.max(leastMs, mostTimes * alone)) faults.push('writes wait for the webhook');
  if ((memory.at(-1) ?? 0) > (memory[turns / 2 - 1] ?? 0) * growth) faults.push('the memory of the gateway grew');
}

async function play(name: string, cluster: Cluster): Promise<number> {
  const { perSecond, failures, p50Ms, p99Ms } = await writeAt(cluster, Number(values.rate), turnMs);
  if (failures > 0) faults.push(`${name}: ${failures} writes failed`);
  const times = `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
  const figures = `${perSecond.toFixed(0)}/s, ${times}; gateway ${gatewayMiB(cluster).toFixed(0)} MiB`;
  process.stdout.write(`${name}: ${figures}\n`);
  return p99Ms;
}

function gatewayMiB(cluster: Cluster): number {
  return processesOf(cluster, 'gateway').reduce((sum, pid) => sum + processMemoryMiB(pid), 0);
}

function median(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
}
