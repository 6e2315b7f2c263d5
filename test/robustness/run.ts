/**
 * The robustness suite: `node --import tsx test/robustness/run.ts [--setup embedded|etcd|replicas] [--minutes 2]
 * [--seed N] [--round-seconds 120]`. Each round has a seed, the first one that of `--seed`, then counting up; a round
 * that found something is run again by its seed. Ends with 1 when there was a violation.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { http1Client } from '#test/api-client.ts';
import { StoreLog } from './model/store-log.ts';
import { runRound } from './run-round.ts';
import type { RoundReport } from './run-round.ts';
import type { Setup } from './setups/setup.ts';
import { startEmbedded } from './setups/start-embedded.ts';
import { startOnEtcd } from './setups/start-on-etcd.ts';
import { widgetDefinition } from './workload/resources.ts';

const setups: Readonly<Record<string, () => Promise<Setup>>> = {
  embedded: startEmbedded,
  etcd: () => startOnEtcd(1, 1),
  replicas: () => startOnEtcd(3, 2),
};
const mostRefusals = 12;
/** A system that stays broken need not be run on. */
const mostBadRounds = 3;

const { values } = parseArgs({
  options: {
    setup: { type: 'string', default: 'embedded' },
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
    'round-seconds': { type: 'string', default: '120' },
    quiet: { type: 'boolean', default: false },
  },
});

const start = setups[values.setup];
if (start === undefined) throw new TypeError(`--setup: ${values.setup} is none of ${Object.keys(setups).join(', ')}`);
const setup = await start();
const log = new StoreLog(setup.openEtcd());
process.once('SIGTERM', () => void end(143)).once('SIGINT', () => void end(130));
try {
  await prepare();
  process.exitCode = (await runRounds()) ? 0 : 1;
} finally {
  await log.close();
  await setup.close();
}

async function end(code: number): Promise<void> {
  await log.close();
  await setup.close();
  process.exit(code);
}

async function runRounds(): Promise<boolean> {
  const roundMs = Math.min(Number(values['round-seconds']), Number(values.minutes) * 60) * 1000;
  const until = performance.now() + Number(values.minutes) * 60_000;
  let faults = 0;
  let violations = 0;
  let bad = 0;
  for (
    let seed = Number(values.seed);
    seed === Number(values.seed) || performance.now() + roundMs / 2 < until;
    seed++
  ) {
    const report = await runRound(setup, log, seed, roundMs, (line) => {
      if (!values.quiet) process.stdout.write(`${line}\n`);
    });
    tell(report);
    faults += report.faults.length;
    violations += report.violations.length;
    if (report.violations.length > 0 && ++bad === mostBadRounds) break;
  }
  process.stdout.write(`${values.setup}: ${faults} faults, ${violations} violations\n`);
  return violations === 0;
}

function tell({ seed, faults, violations, history, recoveredAfterMs }: RoundReport): void {
  const outcomes = Object.groupBy(history.writes, ({ outcome }) => outcome);
  const events = history.watches.reduce((sum, { steps }) => sum + steps.length, 0);
  process.stdout.write(
    `seed ${seed}: ${faults.length} faults; writes ${outcomes.acknowledged?.length ?? 0} acknowledged, ${outcomes.refused?.length ?? 0} refused, ${outcomes.unknown?.length ?? 0} unknown; ` +
      `${history.gets.length} reads, ${history.lists.length} lists, ${events} steps of watches; well again after ${Math.round(recoveredAfterMs)} ms; ${violations.length} violations\n`,
  );
  for (const violation of violations.slice(0, 20)) process.stdout.write(`  VIOLATION ${violation}\n`);
  if (violations.length === 0) return;
  const refusals = [...history.refusals].sort(([, a], [, b]) => b - a).slice(0, mostRefusals);
  for (const [what, count] of refusals) process.stdout.write(`  ${count} × ${what}\n`);
  for (const { name, output } of setup.processes) process.stdout.write(`  --- ${name}\n${output.slice(-1500)}\n`);
}

async function prepare(): Promise<void> {
  await Promise.all(setup.processes.map((process) => process.ready()));
  await log.start();
  for (const address of setup.addresses) {
    const client = http1Client(address);
    const { status, text } = await client.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      body: widgetDefinition,
    });
    if (status !== 201 && status !== 409) throw new Error(`the definition was refused: ${status} ${text}`);
    while ((await client.send('GET', '/apis/robustness.quarterdeck.example/v1/widgets')).status !== 200)
      await sleep(50);
    client.close();
  }
}
