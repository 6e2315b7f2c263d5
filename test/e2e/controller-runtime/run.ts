// Runs tests of controller-runtime (build.sh) with this project in the place of envtest's etcd and kube-apiserver, and
// with those of the reference, in one run:
//   REFERENCE_BIN=FOLDER node --import tsx test/e2e/controller-runtime/run.ts [--focus REGEX] [--bound TIMES] [PACKAGE]…
// Every test that the reference passes has to pass. With `--bound` each package may take so many times the reference's
// time, with the starts and ends of servers; 1 on a quiet machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepareAssets, referenceBin } from './envtest-assets.ts';

interface SpecReport {
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeText: string;
  readonly LeafNodeType: string;
  readonly State: string;
  /** Nanoseconds. */
  readonly RunTime: number;
  readonly Failure?: { readonly Message: string };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { focus: { type: 'string', default: '' }, bound: { type: 'string' } },
});
const built = join(referenceBin, 'controller-runtime');
const packages = ['client', 'cache', 'envtest', 'builder', 'manager', 'controller', 'source', 'webhook'];
const folder = mkdtempSync(join(tmpdir(), 'controller-runtime-'));

interface PlayedTests {
  readonly specs: ReadonlyMap<string, SpecReport>;
  /** Of the whole program, with the starts and ends of servers. */
  readonly seconds: number;
}

async function run(name: string, assets: string): Promise<PlayedTests> {
  const report = join(folder, `${name}-${basename(assets)}.json`);
  // Tests read files beside them.
  const cwd = join(built, 'module', 'pkg', name);
  const before = readdirSync(cwd);
  const startedMs = performance.now();
  const child = spawn(
    join(built, `${name}.test`),
    [
      '-test.timeout=20m',
      `-ginkgo.json-report=${report}`,
      '-ginkgo.no-color',
      ...(values.focus === '' ? [] : [`-ginkgo.focus=${values.focus}`]),
    ],
    {
      cwd,
      env: { ...process.env, KUBEBUILDER_ASSETS: assets, KUBEBUILDER_CONTROLPLANE_START_TIMEOUT: '60s' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => (text = (text + more).slice(-20_000)));
  await once(child, 'close');
  const seconds = (performance.now() - startedMs) / 1000;
  if (!existsSync(report)) throw new Error(`${name} with ${assets} made no report:\n${text}`);
  const left = readdirSync(cwd).filter((file) => !before.includes(file));
  if (left.length > 0) throw new Error(`${name} with ${assets} left in its working directory: ${left.join(' ')}`);
  const [suite] = JSON.parse(readFileSync(report, 'utf8')) as { readonly SpecReports: readonly SpecReport[] | null }[];
  const specs = new Map(
    (suite?.SpecReports ?? [])
      .filter(({ State }) => State !== 'skipped' && State !== 'pending')
      .map((spec) => [
        [...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText || spec.LeafNodeType].join(' / '),
        spec,
      ]),
  );
  return { specs, seconds };
}

/** Of the tests alone. */
function testSeconds({ specs }: PlayedTests): number {
  return [...specs.values()]
    .filter(({ LeafNodeType }) => LeafNodeType === 'It')
    .reduce((sum, { RunTime }) => sum + RunTime / 1e9, 0);
}

function passed({ specs }: PlayedTests): number {
  return [...specs.values()].filter(({ LeafNodeType, State }) => LeafNodeType === 'It' && State === 'passed').length;
}

function timesOf(played: PlayedTests): string {
  return `${played.seconds.toFixed(1)} s (tests ${testSeconds(played).toFixed(1)} s)`;
}

let failures = 0;
try {
  const assets = prepareAssets(folder);
  for (const name of positionals.length === 0 ? packages : positionals) {
    const [reference, ours] = [await run(name, assets.reference), await run(name, assets.ours)];
    const wrong = [...reference.specs]
      .filter(([spec, { State }]) => State === 'passed' && ours.specs.get(spec)?.State !== 'passed')
      .map(([spec]) => `${spec}\n    ${(ours.specs.get(spec)?.Failure?.Message ?? 'did not run').slice(0, 1_000)}`);
    if (passed(reference) === 0) wrong.push('the reference passed none');
    if (values.bound !== undefined && ours.seconds > Number(values.bound) * reference.seconds)
      wrong.push(`took ${(ours.seconds / reference.seconds).toFixed(2)} times as long as the reference`);
    failures += wrong.length;
    console.log(
      `${wrong.length === 0 ? 'ok' : 'FAILED'} pkg/${name}: ${passed(ours)} of ${passed(reference)} pass, ${timesOf(ours)}, reference ${timesOf(reference)}${wrong.map((line) => `\n  ${line}`).join('')}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures > 0 ? 1 : 0;
