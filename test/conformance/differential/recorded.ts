import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
// The differential fuzzer without a reference: scenarios of a fixed seed against a fresh cluster, compared with what
// the reference answered when they were recorded.
//   node --import tsx test/conformance/differential/recorded.ts [--record | --update] [--report FILE]
// The number of scenarios that are equal, or differ for a known reason, may not fall below recorded-floor.json;
// `--update` raises it. `--record` needs REFERENCE_BIN.
import fc from 'fast-check';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { differencesFromAll } from '#test/compare/differences.ts';
import type { Server } from '#test/compare/exchange.ts';
import { normalForm } from '#test/compare/normal-form.ts';
import { startOurs, startTheirs } from '#test/compare/pair.ts';
import { explanationOf } from './known-differences.ts';
import { play } from './play.ts';
import { prepare } from './prepare.ts';
import { scenarios } from './scenario.ts';
import { seeds } from './seeds.ts';

const seed = 20_261_121;
const count = 500;
const parallel = 4;
const recordedFile = join(import.meta.dirname, 'testdata/recorded.json.gz');
const floorFile = join(import.meta.dirname, 'recorded-floor.json');

const { values: flags } = parseArgs({
  options: {
    record: { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
    report: { type: 'string' },
  },
});

interface Recorded {
  readonly request: string;
  /** In normal form; one, or each that the reference chooses from at random. */
  readonly answers: readonly JsonObject[];
}

/** Each scenario's answers. */
async function playAll(server: Server, settled: boolean): Promise<Recorded[][]> {
  const all = seeds();
  await prepare(server, all);
  const chosen = fc.sample(scenarios(all.length, true), { seed, numRuns: count });
  const answers: Recorded[][] = chosen.map(() => []);
  const queue = chosen.entries();
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (const [index, scenario] of queue) {
        const object = all[scenario.seed];
        if (object === undefined) continue;
        const exchanges = await play(server, object, scenario, index.toString(36).padStart(4, '0'), {
          managedFields: false,
          settled,
        });
        answers[index] = exchanges.map((exchange) => ({
          request: `${exchange.sent.method} ${exchange.sent.path}`,
          answers: [exchange, ...(exchange.others ?? [])].map((one) => normalForm(one, true)),
        }));
      }
    }),
  );
  return answers;
}

async function record(): Promise<void> {
  const reference = await startTheirs();
  try {
    const answers = await playAll(reference.server, true);
    writeFileSync(recordedFile, gzipSync(JSON.stringify(answers), { level: 9 }));
    console.log(`${answers.length} scenarios recorded`);
  } finally {
    await reference.close();
  }
}

async function check(): Promise<void> {
  const ours = await startOurs();
  try {
    report(await playAll(ours.server, false));
  } finally {
    await ours.close();
  }
}

interface Difference {
  readonly request: string;
  readonly lines: readonly string[];
}

/** The first request of a scenario that was answered otherwise. */
function firstDifference(wanted: readonly Recorded[], have: readonly Recorded[] | undefined): Difference | undefined {
  for (const [position, { request, answers }] of wanted.entries()) {
    // What follows a panic of the reference was not recorded.
    if (answers[0]?.['status'] === 0) return undefined;
    const lines = differencesFromAll(answers, have?.[position]?.answers[0]);
    if (lines.length > 0) return { request, lines };
  }
  return undefined;
}

function report(answers: readonly (readonly Recorded[])[]): void {
  const wanted = JSON.parse(gunzipSync(readFileSync(recordedFile)).toString()) as Recorded[][];
  const different = wanted.flatMap((exchanges, index) => firstDifference(exchanges, answers[index]) ?? []);
  const unexplained = different.filter(({ lines }) => explanationOf(lines) === undefined);
  const alike = wanted.length - unexplained.length;
  const lines = different.flatMap(({ request, lines: differences }) => [
    request,
    ...differences.slice(0, 6).map((line) => `    ${line.slice(0, 500)}`),
  ]);
  if (flags.report !== undefined) writeFileSync(flags.report, lines.join('\n'));
  const least = JSON.parse(readFileSync(floorFile, 'utf8')) as { alike: number };
  console.log(
    `${wanted.length - different.length} of ${wanted.length} scenarios equal, ${different.length - unexplained.length} differ for a known reason (together at least ${least.alike})`,
  );
  if (flags.update && alike > least.alike) writeFileSync(floorFile, `${JSON.stringify({ alike }, undefined, 2)}\n`);
  if (alike < least.alike) {
    console.log(lines.join('\n'));
    process.exitCode = 1;
  }
}

await (flags.record ? record() : check());
process.exit();
