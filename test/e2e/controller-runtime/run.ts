// Runs tests of controller-runtime (build.sh) with this project in the place of envtest's etcd and kube-apiserver, and
// with those of the reference, in one run:
//   REFERENCE_BIN=FOLDER node --import tsx test/e2e/controller-runtime/run.ts [--focus REGEX] [--bound TIMES] [client | cache | envtest | webhook]…
// Every test that the reference passes has to pass. With `--bound` the time of the tests, without starts and ends, may
// be so many times the reference's; 1 on a quiet machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { referenceProgram } from '#test/reference.ts';

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
const bin =
  process.env['REFERENCE_BIN'] ??
  join(process.env['REFERENCE_ROOT'] ?? join(homedir(), '.cache', 'kubernetes-reference'), 'bin');
const built = join(bin, 'controller-runtime');
const bundle = join(
  process.env['QUARTERDECK_DIST'] ?? join(import.meta.dirname, '..', '..', '..', 'dist'),
  'quarterdeck.js',
);
const folder = mkdtempSync(join(tmpdir(), 'controller-runtime-'));

/** Folders as KUBEBUILDER_ASSETS names them. */
const assets = { reference: join(folder, 'reference'), ours: join(folder, 'ours') };

function prepareAssets(): void {
  for (const at of Object.values(assets)) mkdirSync(at);
  for (const name of ['etcd', 'kube-apiserver', 'kubectl'] as const) {
    const program = referenceProgram(name);
    if (program === undefined) throw new Error(`REFERENCE_BIN holds no ${name}`);
    symlinkSync(program, join(assets.reference, name));
    if (name === 'kubectl') symlinkSync(program, join(assets.ours, name));
  }
  const run = `exec "${process.execPath}" "${bundle}"`;
  writeScript('etcd', `${run} store "$@"`);
  // The data directory lies among what envtest removes.
  writeScript(
    'kube-apiserver',
    `for flag; do case $flag in --cert-dir=*) data=\${flag#--cert-dir=}/data ;; esac; done
${run} \${data:+--data-dir="$data"} "$@"`,
  );
}

function writeScript(name: string, body: string): void {
  const path = join(assets.ours, name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
}

async function run(name: string, where: keyof typeof assets): Promise<ReadonlyMap<string, SpecReport>> {
  const report = join(folder, `${name}-${where}.json`);
  const child = spawn(
    join(built, `${name}.test`),
    [
      '-test.timeout=20m',
      `-ginkgo.json-report=${report}`,
      '-ginkgo.no-color',
      ...(values.focus === '' ? [] : [`-ginkgo.focus=${values.focus}`]),
    ],
    {
      // Tests read files beside them.
      cwd: join(built, 'module', 'pkg', name),
      env: { ...process.env, KUBEBUILDER_ASSETS: assets[where], KUBEBUILDER_CONTROLPLANE_START_TIMEOUT: '60s' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => (text = (text + more).slice(-20_000)));
  await once(child, 'close');
  if (!existsSync(report)) throw new Error(`${name} with ${where} made no report:\n${text}`);
  const [suite] = JSON.parse(readFileSync(report, 'utf8')) as { readonly SpecReports: readonly SpecReport[] | null }[];
  return new Map(
    (suite?.SpecReports ?? [])
      .filter(({ State }) => State !== 'skipped' && State !== 'pending')
      .map((spec) => [
        [...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText || spec.LeafNodeType].join(' / '),
        spec,
      ]),
  );
}

function seconds(specs: ReadonlyMap<string, SpecReport>): number {
  return [...specs.values()]
    .filter(({ LeafNodeType }) => LeafNodeType === 'It')
    .reduce((sum, { RunTime }) => sum + RunTime / 1e9, 0);
}

function passed(specs: ReadonlyMap<string, SpecReport>): number {
  return [...specs.values()].filter(({ LeafNodeType, State }) => LeafNodeType === 'It' && State === 'passed').length;
}

let failures = 0;
try {
  prepareAssets();
  for (const name of positionals.length === 0 ? ['client', 'cache', 'envtest', 'webhook'] : positionals) {
    const [reference, ours] = [await run(name, 'reference'), await run(name, 'ours')];
    const wrong = [...reference]
      .filter(([spec, { State }]) => State === 'passed' && ours.get(spec)?.State !== 'passed')
      .map(([spec]) => `${spec}\n    ${(ours.get(spec)?.Failure?.Message ?? 'did not run').slice(0, 1_000)}`);
    const ratio = seconds(ours) / seconds(reference);
    if (passed(reference) === 0) wrong.push('the reference passed none');
    if (values.bound !== undefined && ratio > Number(values.bound))
      wrong.push(`took ${ratio.toFixed(2)} times as long as the reference`);
    failures += wrong.length;
    console.log(
      `${wrong.length === 0 ? 'ok' : 'FAILED'} pkg/${name}: ${passed(ours)} of ${passed(reference)} pass, ${seconds(ours).toFixed(1)} s, reference ${seconds(reference).toFixed(1)} s${wrong.map((line) => `\n  ${line}`).join('')}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures > 0 ? 1 : 0;
