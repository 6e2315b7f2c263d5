// Runs one list of kubectl commands against a fresh cluster and compares with the reference:
//   node --import tsx test/e2e/kubectl/compare.ts [--live] [--all] [--set-up embedded|etcd|replicated] [KUBECTL]
// Expected values stand in gen/ (record.ts). With --live the reference (REFERENCE_BIN) runs beside and every difference
// can be shown, those of outputs that need not be equal included (--all). Without a KUBECTL: $REFERENCE_BIN/kubectl, or
// the one on PATH.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { referenceProgram, startReference } from '#test/reference.ts';
import { setUps, startSetUp, type SetUp } from '#test/set-ups.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { changedLines, compareRuns } from './compare-runs.ts';
import { normalize } from './normalize.ts';
import { readRecording } from './recordings.ts';
import { kubectlVersion, runScenario } from './run-scenario.ts';
import type { Run } from './run-scenario.ts';

const shownLines = 40;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    live: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    'set-up': { type: 'string', default: 'embedded' },
  },
});
const setUp = setUps.find((name) => name === values['set-up']);
if (setUp === undefined) throw new Error(`--set-up is one of ${setUps.join(', ')}`);
const program = positionals[0] ?? referenceProgram('kubectl') ?? 'kubectl';
const version = kubectlVersion(program);

async function runOurs(way: SetUp): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'e2e-'));
  const running = await startSetUp(way, folder, {
    flags: ['--token-auth-file', writeTokens(folder), '--service-cluster-ip-range', '10.0.0.0/16'],
    readyWithinMs: 60_000,
  });
  try {
    return await runScenario(program, { url: running.cluster.url, token: adminToken });
  } finally {
    await running.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runReference(): Promise<Run> {
  const reference = await startReference();
  try {
    return await runScenario(program, reference);
  } finally {
    await reference.close();
  }
}

const live = values.live ? await runReference() : undefined;
const own = live ?? readRecording(version);
const expected = own ?? readRecording('1.36');
if (expected === undefined) throw new Error('nothing was recorded for kubectl; run record.ts');
const ours = await runOurs(setUp);
if (own === undefined)
  console.log(`kubectl ${version}: no recording of this version, so that exit codes are compared and outputs are not`);
const differences = compareRuns(expected, ours, own !== undefined);
for (const { title, lines } of differences) {
  const resource = /^kubectl explain (\S+)/.exec(title)?.[1];
  const more = resource === undefined ? lines : changedLines(live?.trees[resource] ?? '', ours.trees[resource] ?? '');
  console.log([`DIFFERS ${title}`, ...more.slice(0, shownLines).map((line) => `    ${line}`)].join('\n'));
}
if (live && values.all) {
  for (const [index, { command, output }] of ours.steps.entries()) {
    if (output !== undefined) continue;
    const lines = changedLines(
      normalize(live.seen[index]?.output ?? '', false),
      normalize(ours.seen[index]?.output ?? '', false),
    );
    if (lines.length > 0)
      console.log(
        [
          `not compared, but differs: kubectl ${command}`,
          ...lines.slice(0, shownLines).map((line) => `    ${line}`),
        ].join('\n'),
      );
  }
}
console.log(
  `kubectl ${version} on ${setUp}: ${expected.steps.length} commands, ${Object.keys(expected.explain).length} explained resources, ${differences.length} differences`,
);
process.exitCode = differences.length > 0 ? 1 : 0;
