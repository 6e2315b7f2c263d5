// No long pauses: what held the event loop of each process longest (CPU time of the thread) while large work goes on.
//   node --import tsx test/benchmark/loop-turns.ts [--only PATTERN]
// Fails where one callback took longer than README.md allows. Needs `npm run build`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startCluster } from '#test/cluster.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { Contention } from './contention.ts';
import { LoopLoads } from './loop-loads.ts';
import { TurnsFile } from './turns-file.ts';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
/** On a quiet machine. */
const allowedMs = 10;
/** A machine that is busier says nothing. */
const largestFactor = 3;
/** What goes on behind the ready line. */
const startMs = 1000;
/** Work that goes on behind an answer: caches, controllers, documents. */
const settleMs = 300;

const folder = mkdtempSync(join(tmpdir(), 'loop-turns-'));
const turns = new TurnsFile(folder);

function formatLongest(longest: ReadonlyMap<string, number>, kind: string): string {
  const of = [...longest].filter(([key]) => key.endsWith(kind)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return of.map(([key, ms]) => `${key.slice(0, -kind.length - 1)} ${ms.toFixed(0)}`).join(', ') || '–';
}

interface Outcome {
  readonly name: string;
  readonly allowedMs: number;
  readonly longest: ReadonlyMap<string, number>;
}

async function measure(loads: LoopLoads): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  await sleep(startMs);
  turns.takeLongest();
  for (const { name, work, allowedMs: allowed = allowedMs } of loads.all()) {
    if (!new RegExp(values.only, 'i').test(name)) continue;
    await work();
    await sleep(settleMs);
    const longest = turns.takeLongest();
    outcomes.push({ name, allowedMs: allowed, longest });
    console.log(`${name}: ${(['call', 'turn', 'gc'] as const).map((kind) => formatLongest(longest, kind)).join('; ')}`);
    const refused = loads.takeRefusal();
    if (refused !== undefined && !name.endsWith('refused')) console.log(`  ${refused}`);
  }
  return outcomes;
}

function longestCall({ longest }: Outcome): number {
  return Math.max(0, ...[...longest].filter(([key]) => key.endsWith('call')).map(([, ms]) => ms));
}

const cluster = await startCluster({
  bundled: true,
  flags: ['--token-auth-file', writeTokens(folder), '--service-cluster-ip-range', '10.0.0.0/16'],
});
const loads = new LoopLoads(cluster.url, adminToken);
const contention = new Contention();
try {
  console.log('ms of CPU: longest callback; longest turn of the loop; longest full garbage collection');
  const outcomes = await measure(loads);
  const factor = contention.factor();
  console.log(`work takes ${factor.toFixed(2)} times as long as on a quiet machine`);
  const long = outcomes.filter((outcome) => longestCall(outcome) > outcome.allowedMs * Math.min(factor, largestFactor));
  for (const outcome of long)
    console.log(`LONG ${outcome.name}: ${longestCall(outcome).toFixed(0)} ms, allowed ${outcome.allowedMs} ms`);
  if (long.length > 0) process.exitCode = 1;
} finally {
  contention.stop();
  await loads.close();
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
}
