// Compares this server with the reference by random requests, until the time is up:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/differential/run.ts [--minutes 20] [--seed 1] [--apply] [--without-managed-fields] [--only 'Pod rich'] [--report FILE]
// With --reference URL and --ours URL servers that run already are used (token in DIFFERENTIAL_TOKEN).
// Each kind of difference is printed once, with the requests that led to it.
import fc from 'fast-check';
import { appendFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { differencesFromAll } from '../../compare/differences.ts';
import type { Exchange } from '../../compare/exchange.ts';
import { normalForm } from '../../compare/normal-form.ts';
import { serversAt } from '../../compare/pair.ts';
import { adminToken } from '../../tokens.ts';
import { explanationOf } from './known-differences.ts';
import { play } from './play.ts';
import { prepare } from './prepare.ts';
import { scenarios, type Scenario } from './scenario.ts';
import { seeds, type Seed } from './seeds.ts';

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    apply: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    'without-managed-fields': { type: 'boolean', default: false },
    report: { type: 'string' },
    reference: { type: 'string' },
    ours: { type: 'string' },
  },
});

/** Equal for differences that have the same cause, most likely. */
function kindOf(exchange: Exchange, difference: string): string {
  return `${exchange.sent.method} ${exchange.sent.headers['content-type'] ?? ''} ${difference.replaceAll(/\[\d+\]|"[^"]*"|\d+/g, '#').slice(0, 120)}`;
}

function say(line: string): void {
  console.log(line);
  if (flags.report !== undefined) appendFileSync(flags.report, `${line}\n`);
}

const pair = await serversAt(flags, process.env['DIFFERENTIAL_TOKEN'] ?? adminToken);
const { theirs: reference, ours } = pair;
const all = seeds().filter(({ object }) => `${object.kind} ${object.metadata.name}`.includes(flags.only));
await Promise.all([reference, ours].map((server) => prepare(server, all)));
const seen = new Map<string, number>();
const explained = new Map<string, number>();
let [played, exchanged, run, chance] = [0, 0, 0, 0];
const end = Date.now() + Number(flags.minutes) * 60_000;
if (flags.report !== undefined) writeFileSync(flags.report, '');

interface Difference {
  /** The requests up to the one that was answered otherwise. */
  readonly exchanges: readonly Exchange[];
  readonly lines: readonly string[];
}

/** Plays a scenario on both servers; what follows a difference differs because of it. */
async function differenceIn(scenario: Scenario, seed: Seed): Promise<Difference | undefined> {
  const name = (run++).toString(36).padStart(4, '0');
  const managedFields = !flags['without-managed-fields'];
  const [wanted, have] = await Promise.all([
    play(reference, seed, scenario, name, { managedFields, settled: true }),
    play(ours, seed, scenario, name, { managedFields, settled: false }),
  ]);
  played += 1;
  for (const [index, exchange] of wanted.entries()) {
    exchanged += 1;
    const other = have[index];
    // The reference panicked: nothing to compare with.
    if (other === undefined || exchange.status === 0) return undefined;
    const lines = differencesFromAll(
      [exchange, ...(exchange.others ?? [])].map((one) => normalForm(one, !managedFields)),
      normalForm(other, !managedFields),
    );
    if (lines.length > 0) return { exchanges: wanted.slice(0, index + 1), lines };
  }
  return undefined;
}

/**
 * A difference that is none by the reference's choice of several answers stays after this many plays once in some
 * hundred.
 */
const playsOfDifferences = 8;

/**
 * A second may end within a scenario on one server, and the reference tells one of several mistakes in a map at random:
 * only what comes again and again is a difference.
 */
async function compare(scenario: Scenario): Promise<void> {
  const seed = all[scenario.seed];
  if (seed === undefined || (await differenceIn(scenario, seed)) === undefined) return;
  let again: Difference | undefined;
  for (let time = 1; time < playsOfDifferences; time++) {
    again = await differenceIn(scenario, seed);
    if (again === undefined) break;
  }
  const last = again?.exchanges.at(-1);
  if (again === undefined || last === undefined) chance += 1;
  else tell(last, again.lines, again.exchanges);
}

function tell(exchange: Exchange, differences: readonly string[], before: readonly Exchange[]): void {
  const why = explanationOf(differences);
  if (why !== undefined) {
    explained.set(why, (explained.get(why) ?? 0) + 1);
    return;
  }
  const kind = kindOf(exchange, differences[0] ?? '');
  const count = (seen.get(kind) ?? 0) + 1;
  seen.set(kind, count);
  if (count > 1) return;
  say(`\n### ${exchange.sent.method} ${exchange.sent.path}`);
  for (const { sent, status } of before.slice(-2))
    say(
      `  ${status} ${sent.method} ${sent.path} ${sent.headers['content-type'] ?? `as ${sent.headers['accept'] ?? ''}`} ${(sent.body ?? '').slice(0, 1500)}`,
    );
  for (const line of differences.slice(0, 12)) say(`    ${line.slice(0, 600)}`);
}

const arbitrary = scenarios(all.length, flags.apply);
for (let round = 0; Date.now() < end; round++) {
  const batch = fc.sample(arbitrary, { numRuns: 200, seed: Number(flags.seed) * 1_000_000 + round });
  const queue = batch.values();
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (const scenario of queue) if (Date.now() < end) await compare(scenario);
    }),
  );
}
say(
  `\n${played} scenarios, ${exchanged} answers: ${seen.size} kinds of differences, ${[...explained.values()].reduce((sum, count) => sum + count, 0)} answers that differ for a known reason, ${chance} that differed once`,
);
for (const [why, count] of [...explained].sort((a, b) => b[1] - a[1])) say(`  ${count} × ${why}`);
await pair.close();
process.exitCode = seen.size > 0 ? 1 : 0;
process.exit();
