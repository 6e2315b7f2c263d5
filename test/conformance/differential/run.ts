import { appendFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
// Compares this server with the reference by random requests, until the time is up:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/differential/run.ts [--minutes 20] [--seed 1] [--apply] [--without-managed-fields] [--only 'Pod rich'] [--report FILE]
// With --reference URL and --ours URL servers that run already are used (token in DIFFERENTIAL_TOKEN).
// Each kind of difference is printed once, with the requests that led to it.
import fc from 'fast-check';
import { serversAt } from '#test/compare/pair.ts';
import { adminToken } from '#test/tokens.ts';
import { Comparison } from './comparison.ts';
import { prepare } from './prepare.ts';
import { scenarios } from './scenario.ts';
import { seeds } from './seeds.ts';

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

function say(line: string): void {
  console.log(line);
  if (flags.report !== undefined) appendFileSync(flags.report, `${line}\n`);
}

const pair = await serversAt(flags, process.env['DIFFERENTIAL_TOKEN'] ?? adminToken);
const { theirs: reference, ours } = pair;
const all = seeds().filter(({ object }) => `${object.kind} ${object.metadata.name}`.includes(flags.only));
await Promise.all([reference, ours].map((server) => prepare(server, all)));
const comparison = new Comparison(reference, ours, { managedFields: !flags['without-managed-fields'], say });
const end = Date.now() + Number(flags.minutes) * 60_000;
if (flags.report !== undefined) writeFileSync(flags.report, '');

const arbitrary = scenarios(all.length, flags.apply);
for (let round = 0; Date.now() < end; round++) {
  const batch = fc.sample(arbitrary, { numRuns: 200, seed: Number(flags.seed) * 1_000_000 + round });
  const queue = batch.values();
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (const scenario of queue) {
        const seed = all[scenario.seed];
        if (seed !== undefined && Date.now() < end) await comparison.compare(scenario, seed);
      }
    }),
  );
}
comparison.sayTotals();
await pair.close();
process.exitCode = comparison.kinds > 0 ? 1 : 0;
process.exit();
