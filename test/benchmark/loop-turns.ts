// No long pauses: what held the event loop of each process longest (CPU time of the thread) while large work goes on.
//   node --import tsx test/benchmark/loop-turns.ts [--only PATTERN]
// Fails where one callback took longer than README.md allows. Needs `npm run build`.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startCluster } from '../cluster.ts';
import { adminToken, writeTokens } from '../tokens.ts';
import { LoopLoads } from './loop-loads.ts';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const allowedMs = 10;
/** Work that goes on behind an answer: caches, controllers, documents. */
const settleMs = 300;

const folder = mkdtempSync(join(tmpdir(), 'loop-turns-'));
const file = join(folder, 'turns');
writeFileSync(file, '');
process.env['LOOP_TURNS_FILE'] = file;
process.env['NODE_OPTIONS'] = `--import=${join(import.meta.dirname, 'watch-loop.ts')}`;

/** The longest of each process, by `<process> <kind>`. */
function longestSince(position: number): { readonly longest: ReadonlyMap<string, number>; readonly end: number } {
  const text = readFileSync(file, 'utf8');
  const longest = new Map<string, number>();
  for (const line of text.slice(position).split('\n').slice(0, -1)) {
    const [process = '', kind = '', ms = '0'] = line.split(' ');
    const key = `${process} ${kind}`;
    longest.set(key, Math.max(longest.get(key) ?? 0, Number(ms)));
  }
  return { longest, end: text.length };
}

function told(longest: ReadonlyMap<string, number>, kind: string): string {
  const of = [...longest].filter(([key]) => key.endsWith(kind)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return of.map(([key, ms]) => `${key.slice(0, -kind.length - 1)} ${ms.toFixed(0)}`).join(', ') || '–';
}

const cluster = await startCluster({ bundled: true, flags: ['--token-auth-file', writeTokens(folder), '--service-cluster-ip-range', '10.0.0.0/16'] });
const loads = new LoopLoads(cluster.url, adminToken);
try {
  await sleep(1000);
  let { end } = longestSince(0);
  let long = 0;
  console.log('ms of CPU: longest callback; longest turn of the loop; longest full garbage collection');
  for (const [name, work] of loads.all()) {
    if (!new RegExp(values.only, 'i').test(name)) continue;
    await work();
    await sleep(settleMs);
    const found = longestSince(end);
    ({ end } = found);
    const calls = [...found.longest].filter(([key]) => key.endsWith('call')).map(([, ms]) => ms);
    const isLong = Math.max(0, ...calls) > allowedMs;
    if (isLong) long++;
    const refused = loads.takeRefusal();
    if (refused !== undefined && !name.endsWith('refused')) console.log(`  ${refused}`);
    console.log(`${isLong ? 'LONG ' : ''}${name}: ${(['call', 'turn', 'gc'] as const).map((kind) => told(found.longest, kind)).join('; ')}`);
  }
  console.log(`${long} with a callback above ${allowedMs} ms`);
  if (long > 0) process.exitCode = 1;
} finally {
  await loads.close();
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
}
