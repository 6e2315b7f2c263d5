// Reads compose.yaml, starts its services as processes as it says, and runs the kubectl scenario against the gateway:
//   node --import tsx test/replicas/compose/run.ts [--three-members] [KUBECTL]
// REFERENCE_BIN names the folder of etcd and kubectl; QUARTERDECK_DIST other bundles than dist/.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compareRuns } from '#test/e2e/kubectl/compare-runs.ts';
import { readRecording } from '#test/e2e/kubectl/recordings.ts';
import { kubectlVersion, runScenario } from '#test/e2e/kubectl/run-scenario.ts';
import { referenceProgram } from '#test/reference.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { readComposeFile } from './compose-file.ts';
import { ComposeProcesses } from './compose-processes.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'three-members': { type: 'boolean', default: false } },
});
const root = join(import.meta.dirname, '..', '..', '..');
const etcd = referenceProgram('etcd');
if (etcd === undefined) throw new Error('there is no etcd: REFERENCE_BIN names its folder');
const kubectl = positionals[0] ?? referenceProgram('kubectl') ?? 'kubectl';
const expected = readRecording(kubectlVersion(kubectl));

const three = ['etcd-1', 'etcd-2', 'etcd-3'];
const variables: Record<string, string> = values['three-members']
  ? {
      ETCD_SERVERS: three.map((name) => `http://${name}:2379`).join(','),
      ETCD_INITIAL_CLUSTER: three.map((name) => `${name}=http://${name}:2380`).join(','),
    }
  : {};
const services = readComposeFile(readFileSync(join(root, 'compose.yaml'), 'utf8'), variables);
const folder = mkdtempSync(join(tmpdir(), 'compose-'));
const compose = new ComposeProcesses(services, {
  folder,
  network: 2 + (process.pid % 250),
  programs: { quarterdeck: join(process.env['QUARTERDECK_DIST'] ?? join(root, 'dist'), 'quarterdeck.js'), etcd },
  profiles: values['three-members'] ? ['three-members'] : [],
  moreArguments: { gateway: [`--token-auth-file=${writeTokens(folder)}`] },
});
try {
  const started = performance.now();
  await compose.up();
  console.log(`compose.yaml: all services healthy after ${Math.round(performance.now() - started)} ms`);
  const url = `https://${compose.addresses('gateway')[0]}:6443`;
  const run = await runScenario(kubectl, { url, token: adminToken });
  const differences = expected === undefined ? [] : compareRuns(expected, run, true);
  for (const { title, lines } of differences)
    console.log([`DIFFERS ${title}`, ...lines.slice(0, 20).map((line) => `    ${line}`)].join('\n'));
  console.log(
    `kubectl on compose.yaml${values['three-members'] ? ' with three members' : ''}: ${run.steps.length} commands, ${differences.length} differences`,
  );
  process.exitCode = differences.length === 0 ? 0 : 1;
} catch (error) {
  console.log(error instanceof Error ? error.message : String(error), compose.output().slice(-4000));
  process.exitCode = 1;
} finally {
  await compose.down();
  rmSync(folder, { recursive: true, force: true });
}
