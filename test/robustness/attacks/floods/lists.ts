/**
 * `node --import tsx test/robustness/attacks/floods/lists.ts [--seconds N] [--gateways 1|2] [--at-once N]`: one account
 * floods with LISTs of 5 MB while another's GETs are timed and a controller renews its lease, on this server (dist/)
 * and on the reference. Prints both; ends with 1 where the median or p99 of the GETs grows by more here than there, or
 * a renewal fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import type { ClusterAddress } from '#test/api-client.ts';
import { startCluster } from '#test/cluster.ts';
import { startReference } from '#test/reference.ts';
import { prepare, tokens, writeUsers } from '#test/robustness/attacks/seats/prepare.ts';
import { timeVictim, type Timing } from '#test/robustness/attacks/seats/victim.ts';
import type { Flood, Flooded } from './flooder.ts';
import { renewLease } from './renew-lease.ts';

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    gateways: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '200' },
  },
});
const seconds = Number(flags.seconds);
const quietSeconds = Math.min(5, seconds);
const objectBytes = 50_000;
/** Objects are counted again within this time. */
const countedWithinMs = 6_000;

interface Result {
  readonly quiet: Timing;
  readonly flooded: Timing;
  readonly lease: Timing;
}

type Server = ClusterAddress & { readonly close: () => Promise<void> };

const folder = mkdtempSync(join(tmpdir(), 'floods-'));
const userFlags = ['--token-auth-file', writeUsers(folder)];
/** The reference counts its objects once a minute, unless it is told otherwise. */
const counts = '--etcd-count-metric-poll-period=2s';
const results = new Map<string, Result>();
try {
  for (const [name, start] of [
    ['reference', () => startReference({ flags: [...userFlags, counts] })],
    ['ours', () => startCluster({ bundled: true, flags: [...userFlags, '--gateway-replicas', flags.gateways] })],
  ] as const)
    results.set(name, await play(name, await start()));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(faults().length === 0 ? 0 : 1);

async function play(name: string, server: Server): Promise<Result> {
  try {
    await prepare(server, objectBytes);
    await timeVictim(server, tokens.victim, 1);
    await new Promise((resolve) => setTimeout(resolve, countedWithinMs));
    const { get: quiet } = await timeVictim(server, tokens.victim, quietSeconds);
    const flood = await startFlood(server);
    const [{ get: flooded }, lease] = await Promise.all([
      timeVictim(server, tokens.victim, seconds),
      renewLease(server, tokens.controller, seconds),
    ]);
    const { lists, refused, failed, bytes } = await flood.end();
    const rate = `${(lists / seconds).toFixed(0)} lists a second of ${(bytes / lists / 1e6).toFixed(1)} MB`;
    process.stdout.write(
      `${name.padEnd(10)} GET ${show(quiet)} → ${show(flooded)}   lease ${show(lease)}   ${rate}, ${refused} refused, ${failed} failed\n`,
    );
    return { quiet, flooded, lease };
  } finally {
    await server.close();
  }
}

async function startFlood({ url }: ClusterAddress): Promise<{ end: () => Promise<Flooded> }> {
  const path = '/api/v1/namespaces/default/configmaps?resourceVersion=0';
  const flood: Flood = { url, token: tokens.mallory, path, atOnce: Number(flags['at-once']) };
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(import.meta.dirname, 'flooder.ts'), JSON.stringify(flood)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next();
  return {
    async end() {
      child.stdin.end();
      const { value } = await lines.next();
      if (child.exitCode === null) await once(child, 'exit');
      return JSON.parse(String(value)) as Flooded;
    },
  };
}

function faults(): string[] {
  const [ours, theirs] = [results.get('ours'), results.get('reference')];
  if (ours === undefined || theirs === undefined) return ['a server is missing'];
  const growth = ({ quiet, flooded }: Result, key: 'p50' | 'p99'): number => flooded[key] - quiet[key];
  const found = (['p50', 'p99'] as const)
    .filter((key) => growth(ours, key) > growth(theirs, key))
    .map((key) => `${key} grows by ${growth(ours, key).toFixed(1)} ms, there by ${growth(theirs, key).toFixed(1)} ms`);
  for (const [outcome, count] of [...ours.lease.failures, ...ours.flooded.failures])
    found.push(`${count} times ${outcome}`);
  for (const fault of found) process.stdout.write(`FAILED: ${fault}\n`);
  return found;
}

function show({ p50, p99, count, failures }: Timing): string {
  const failed = [...failures].map(([outcome, times]) => ` ${times}×${outcome}`).join('');
  return `p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)} of ${count}${failed}`;
}
