/**
 * `node --import tsx test/robustness/attacks/seats/run.ts [--seconds N] [--slack MS] [--only TEXT] [--ours]`: each
 * attack that holds or takes seats, by nobody, by a user without rights and by one with them, on this server (dist/)
 * and on the reference, while another user's GET and create are timed. Prints a table; ends with 1 where a request of
 * the other user failed here, or, with `--slack`, its p99 is above the reference's by more than that (20 on a quiet
 * machine). The whole form is `--seconds 60`; `--ours` leaves the reference out.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ClusterAddress } from '#test/api-client.ts';
import { processesOf } from '#test/cluster-processes.ts';
import { startCluster } from '#test/cluster.ts';
import { startReference } from '#test/reference.ts';
import { processMemoryMiB } from '#test/robustness/hostile/process-memory.ts';
import { attackNames, type Attack, type AttackName } from './attacks.ts';
import { prepare, tokens, writeUsers } from './prepare.ts';
import { timeVictim, type Timing, type VictimTimes } from './victim.ts';

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    slack: { type: 'string' },
    count: { type: 'string', default: '1000' },
    only: { type: 'string', default: '' },
    ours: { type: 'boolean', default: false },
  },
});
const seconds = Number(flags.seconds);
const attackers = { nobody: undefined, 'without rights': tokens.powerless, 'with rights': tokens.mallory };

interface Server extends ClusterAddress {
  readonly name: string;
  readonly pids: () => readonly number[];
  close(): Promise<void>;
}

const folder = mkdtempSync(join(tmpdir(), 'seats-'));
const userFlags = ['--token-auth-file', writeUsers(folder)];
const cases = attackNames
  .flatMap((attack) =>
    Object.keys(attackers).map((attacker) => ({ attack, attacker: attacker as keyof typeof attackers })),
  )
  .filter(({ attack, attacker }) => `${attack}, ${attacker}`.includes(flags.only));
const results = new Map<string, VictimTimes>();
const faults: string[] = [];
const servers: Server[] = [];
try {
  for (const start of flags.ours ? [startOurs] : [startTheirs, startOurs]) servers.push(await start());
  await playAll();
} finally {
  await Promise.all(servers.map((server) => server.close()));
  rmSync(folder, { recursive: true, force: true });
}
if (!flags.ours) compare();
for (const fault of faults) process.stdout.write(`FAILED: ${fault}\n`);
process.exit(faults.length > 0 ? 1 : 0);

async function startOurs(): Promise<Server> {
  const cluster = await startCluster({ bundled: true, flags: userFlags });
  return {
    ...cluster,
    name: 'ours',
    pids: () => (['gateway', 'core'] as const).flatMap((name) => processesOf(cluster, name)),
  };
}

async function startTheirs(): Promise<Server> {
  const reference = await startReference({ flags: userFlags });
  return { ...reference, name: 'reference', pids: () => reference.pids.slice(0, 1) };
}

/** Case by case in turn, so that both have the same noise of the machine. */
async function playAll(): Promise<void> {
  for (const server of servers) {
    await prepare(server);
    await timeVictim(server, tokens.victim, 1);
    const before = memory(server);
    tell(server, 'without an attack', await timeVictim(server, tokens.victim, Math.min(seconds, 5)), before, before);
  }
  for (const { attack, attacker } of cases) for (const server of servers) await play(server, attack, attacker);
}

async function play(server: Server, name: AttackName, attacker: keyof typeof attackers): Promise<void> {
  const attack: Attack = { name, url: server.url, token: attackers[attacker], count: Number(flags.count) };
  const before = memory(server);
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(import.meta.dirname, 'attacker.ts'), JSON.stringify(attack)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  // It ends by itself when a server has closed all that it held.
  const exited = once(child, 'exit');
  try {
    // Beside the building up, too: the program that attacks has been loaded by its first word.
    await once(child.stdout, 'data');
    const result = await timeVictim(server, tokens.victim, seconds);
    results.set(`${server.name} ${name}, ${attacker}`, result);
    tell(server, `${name}, ${attacker}`, result, before, memory(server));
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}

function memory(server: Server): number {
  return server.pids().reduce((sum, pid) => sum + processMemoryMiB(pid), 0);
}

function tell({ name }: Server, what: string, { get, create }: VictimTimes, before: number, after: number): void {
  process.stdout.write(
    `${name.padEnd(10)} ${what.padEnd(34)} GET ${show(get)}   create ${show(create)}   ${before.toFixed(0)} → ${after.toFixed(0)} MiB\n`,
  );
}

function show({ p50, p99, count, failures }: Timing): string {
  const failed = [...failures].map(([outcome, times]) => `${times}×${outcome}`).join(' ');
  return `p50 ${p50.toFixed(1).padStart(6)} p99 ${p99.toFixed(1).padStart(7)} of ${String(count).padStart(5)}${failed === '' ? '' : ` FAILED ${failed}`}`;
}

function compare(): void {
  for (const { attack, attacker } of cases) {
    const [ours, theirs] = ['ours', 'reference'].map((name) => results.get(`${name} ${attack}, ${attacker}`));
    for (const verb of ['get', 'create'] as const) {
      const [here, there] = [ours?.[verb], theirs?.[verb]];
      if (here === undefined || there === undefined) continue;
      if (here.failures.size > 0) faults.push(`${attack}, ${attacker}: ${verb} of another user: ${show(here)}`);
      if (flags.slack !== undefined && here.p99 > there.p99 + Number(flags.slack))
        faults.push(
          `${attack}, ${attacker}: p99 of ${verb} is ${here.p99.toFixed(0)} ms, the reference's ${there.p99.toFixed(0)} ms`,
        );
    }
  }
}
