/**
 * `node --import tsx test/robustness/attacks/memory/run.ts [--only TEXT] [--hold SECONDS] [--settle SECONDS]`: what a
 * user makes the servers (dist/) hold, and whether it is given back when he is gone. Ends with 1 where a process ended,
 * and, with `--settle`, where they held more than an attack may make them hold, or hold a fifth more than before it
 * when so many seconds have passed (60).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { http1Client } from '#test/api-client.ts';
import { processesOf, type ProcessName } from '#test/cluster-processes.ts';
import { startCluster, type Cluster } from '#test/cluster.ts';
import { prepare, tokens, writeUsers } from '#test/robustness/attacks/seats/prepare.ts';
import { processMemoryMiB } from '#test/robustness/hostile/process-memory.ts';
import { memoryAttacks, type MemoryAttack } from './memory-attacks.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    hold: { type: 'string', default: '8' },
    settle: { type: 'string', default: '0' },
  },
});
const [holdMs, settleMs] = [Number(values.hold) * 1000, Number(values.settle) * 1000];
const sampleEveryMs = 500;
const growth = 1.2;
const requestsEach = 100;
const servers = ['gateway', 'core', 'extensions', 'store'] as const satisfies readonly ProcessName[];
const folder = mkdtempSync(join(tmpdir(), 'memory-'));
const faults: string[] = [];
try {
  // Each on servers of its own: what one left behind would be room for the next.
  for (const attack of memoryAttacks) if (attack.name.includes(values.only)) await play(attack);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const fault of faults) process.stdout.write(`FAILED: ${fault}\n`);
// Connections of an attack may be open still.
process.exit(faults.length > 0 ? 1 : 0);

async function play(attack: MemoryAttack): Promise<void> {
  const cluster = await startCluster({ bundled: true, flags: ['--token-auth-file', writeUsers(folder)] });
  try {
    await prepareLarge(cluster);
    const processes = servers.flatMap((name) => processesOf(cluster, name)).join();
    const before = memory(cluster);
    let most = before;
    const sampler = setInterval(
      () => (most = sum(memory(cluster)) > sum(most) ? memory(cluster) : most),
      sampleEveryMs,
    );
    const sockets = await attack.hold(cluster.url, tokens.mallory);
    await sleep(holdMs);
    clearInterval(sampler);
    for (const socket of sockets) socket.destroy();
    let after = memory(cluster);
    const until = performance.now() + settleMs;
    const admin = http1Client(cluster);
    while (sum(after) > sum(before) * growth && performance.now() < until) {
      // Garbage is collected where something is done.
      for (let asked = 0; asked < requestsEach; asked++)
        await admin.send('GET', '/api/v1/namespaces/default/configmaps/small');
      await sleep(1_000);
      after = memory(cluster);
    }
    admin.close();
    process.stdout.write(
      `${attack.name}: MiB of ${servers.join(', ')}: ${formatMiB(before)} before, ${formatMiB(most)} at most, ${formatMiB(after)} at the end\n`,
    );
    if (settleMs > 0 && sum(most) - sum(before) > attack.mostMiB)
      faults.push(
        `${attack.name}: ${Math.round(sum(most) - sum(before))} MiB were held, ${attack.mostMiB} are allowed`,
      );
    if (settleMs > 0 && sum(after) > sum(before) * growth)
      faults.push(`${attack.name}: ${Math.round(sum(after) - sum(before))} MiB were not given back`);
    if (servers.flatMap((name) => processesOf(cluster, name)).join() !== processes)
      faults.push(`${attack.name}: a process ended`);
  } finally {
    await cluster.close();
  }
}

async function prepareLarge(cluster: Cluster): Promise<void> {
  await prepare(cluster);
  const admin = http1Client(cluster);
  for (let at = 0; at < 3; at++) {
    const body = { metadata: { name: `huge-${at}`, labels: { size: 'huge' } }, data: { text: 'x'.repeat(900_000) } };
    const { status, text } = await admin.send('POST', '/api/v1/namespaces/default/configmaps', { body });
    if (status !== 201) throw new Error(`a large object was not stored: ${status} ${text}`);
  }
  admin.close();
}

function memory(cluster: Cluster): readonly number[] {
  return servers.map((name) => processesOf(cluster, name).reduce((all, pid) => all + processMemoryMiB(pid), 0));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

function formatMiB(numbers: readonly number[]): string {
  return numbers.map((one) => one.toFixed(0)).join(' ');
}
