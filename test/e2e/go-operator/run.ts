// Runs an operator's own tests (build.sh), unchanged, with the folder of `quarterdeck envtest` and with the reference's
// etcd and kube-apiserver in the place of envtest's, in one run:
//   REFERENCE_BIN=FOLDER node --import tsx test/e2e/go-operator/run.ts
// Every test that the reference passes has to pass.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareAssets, referenceBin } from '#test/e2e/controller-runtime/envtest-assets.ts';

const built = join(referenceBin, 'approver-policy');
const packages = [
  'pkg/internal/controllers/test',
  'pkg/internal/approver/manager',
  'pkg/internal/approver/manager/predicate',
];

interface PlayedTests {
  /** Names of Go tests, and the numbers of Ginkgo's specs by outcome. */
  readonly passed: ReadonlySet<string>;
  readonly specs: { readonly passed: number; readonly failed: number };
  readonly seconds: number;
  /** The last of what was printed. */
  readonly text: string;
}

async function play(name: string, assets: string): Promise<PlayedTests> {
  const startedMs = performance.now();
  const child = spawn(join(built, `${name.replaceAll('/', '-')}.test`), ['-test.v', '-test.timeout=15m'], {
    // Tests read files beside them.
    cwd: join(built, 'module', name),
    env: {
      ...process.env,
      KUBEBUILDER_ASSETS: assets,
      KUBEBUILDER_CONTROLPLANE_START_TIMEOUT: '60s',
      GINKGO_NO_COLOR: 'TRUE',
      CERT_MANAGER_CRDS: join(built, 'cert-manager', 'deploy', 'crds'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => (text += more));
  await once(child, 'close');
  const [, passed = '0', failed = '0'] = /(\d+) Passed.*?(\d+) Failed/.exec(text) ?? [];
  return {
    passed: new Set([...text.matchAll(/^\s*--- PASS: (\S+)/gm)].map(([, test = '']) => test)),
    specs: { passed: Number(passed), failed: Number(failed) },
    seconds: (performance.now() - startedMs) / 1000,
    text: text.slice(-5_000),
  };
}

function count({ passed, specs }: PlayedTests): number {
  return passed.size + specs.passed;
}

const folder = mkdtempSync(join(tmpdir(), 'go-operator-'));
let failures = 0;
try {
  const assets = prepareAssets(folder);
  for (const name of packages) {
    const [reference, ours] = [await play(name, assets.reference), await play(name, assets.ours)];
    const wrong = [...reference.passed].filter((test) => !ours.passed.has(test));
    if (ours.specs.passed < reference.specs.passed)
      wrong.push(`${reference.specs.passed - ours.specs.passed} specs of Ginkgo`);
    if (count(reference) === 0) wrong.push(`the reference passed none:\n${reference.text}`);
    failures += wrong.length;
    console.log(
      `${wrong.length === 0 ? 'ok' : 'FAILED'} ${name}: ${count(ours)} of ${count(reference)} pass, ${ours.seconds.toFixed(1)} s, reference ${reference.seconds.toFixed(1)} s${wrong.map((line) => `\n  ${line}`).join('')}`,
    );
    if (wrong.length > 0) console.log(ours.text);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures > 0 ? 1 : 0;
