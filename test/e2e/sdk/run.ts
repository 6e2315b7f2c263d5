// Programs of the Go, Python, Java and JavaScript clients against a fresh cluster:
//   node --import tsx test/e2e/sdk/run.ts [--kubeconfig FILE] [go python java javascript]
// Without --kubeconfig a cluster is started. A language whose tools the machine lacks is named and left out, unless it
// was asked for.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startCluster } from '#test/cluster.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { kubeconfig: { type: 'string' } } });
const folder = mkdtempSync(join(tmpdir(), 'e2e-sdk-'));
const here = import.meta.dirname;

interface Run {
  readonly argv: readonly string[];
  readonly in: string;
  readonly env?: Readonly<Record<string, string>>;
}

const go = join(here, '..', '..', 'recorders', 'clients', 'client-go');
const goProgram = join(folder, 'sdk-go');
const python = join(folder, 'venv', 'bin', 'python');

interface Language {
  /** On the machine. */
  readonly needs: string;
  /** Its commands in turn. */
  readonly runs: readonly Run[];
  /** Of a cluster of its own. */
  readonly flags?: readonly string[];
}

const languages: Record<string, Language> = {
  go: {
    needs: 'go',
    runs: [
      { argv: ['go', 'build', '-o', goProgram, '.'], in: go },
      {
        argv: [goProgram, 'application/json', 'application/vnd.kubernetes.protobuf'],
        in: go,
        env: { KUBE_FEATURE_WatchListClient: 'true' },
      },
      {
        argv: [goProgram, 'application/vnd.kubernetes.protobuf'],
        in: go,
        env: { KUBE_FEATURE_WatchListClient: 'false' },
      },
    ],
  },
  'go-cbor': {
    needs: 'go',
    flags: ['--feature-gates=CBORServingAndStorage=true'],
    runs: [
      { argv: ['go', 'build', '-o', goProgram, '.'], in: go },
      {
        argv: [goProgram, 'application/cbor'],
        in: go,
        env: {
          KUBE_FEATURE_ClientsAllowCBOR: 'true',
          KUBE_FEATURE_ClientsPreferCBOR: 'true',
          KUBE_FEATURE_WatchListClient: 'true',
        },
      },
    ],
  },
  python: {
    needs: 'python3',
    runs: [
      { argv: ['python3', '-m', 'venv', join(folder, 'venv')], in: here },
      {
        argv: [python, '-m', 'pip', '--quiet', '--disable-pip-version-check', 'install', '-r', 'requirements.txt'],
        in: join(here, 'python'),
      },
      { argv: [python, 'main.py'], in: join(here, 'python') },
    ],
  },
  java: {
    needs: 'mvn',
    runs: [
      {
        argv: ['mvn', '-q', '-B', `-Dsdk.target=${join(folder, 'java')}`, 'compile', 'exec:java'],
        in: join(here, 'java'),
      },
    ],
  },
  javascript: {
    needs: process.execPath,
    runs: [{ argv: [process.execPath, '--import', 'tsx', 'main.ts'], in: join(here, 'javascript') }],
  },
};

function isThere(program: string): boolean {
  return spawnSync(program, [program === 'go' ? 'version' : '--version'], { stdio: 'ignore' }).status === 0;
}

function runsWhole({ runs }: Language, kubeconfig: string | undefined): boolean {
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  return runs.every(
    (run) =>
      spawnSync(run.argv[0] ?? '', run.argv.slice(1), { cwd: run.in, env: { ...env, ...run.env }, stdio: 'inherit' })
        .status === 0,
  );
}

const cluster = values.kubeconfig === undefined ? await startCluster({ bundled: true }) : undefined;
const failed: string[] = [];
try {
  for (const [name, language] of Object.entries(languages)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    if (positionals.length === 0 && !isThere(language.needs)) {
      console.log(`!!! LEFT OUT: ${name}, for this machine has no ${language.needs}`);
      continue;
    }
    const own =
      values.kubeconfig === undefined && language.flags !== undefined
        ? await startCluster({ bundled: true, flags: language.flags })
        : undefined;
    try {
      if (!runsWhole(language, values.kubeconfig ?? (own ?? cluster)?.kubeconfig)) failed.push(name);
    } finally {
      await own?.close();
    }
  }
} finally {
  await cluster?.close();
  rmSync(folder, { recursive: true, force: true });
}
if (failed.length > 0) {
  console.log(`failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
