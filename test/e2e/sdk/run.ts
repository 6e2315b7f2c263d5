// Programs of clients in Go, Python, Java, Rust and JavaScript and of curl, against a fresh cluster:
//   node --import tsx test/e2e/sdk/run.ts [--quick] [--kubeconfig FILE] [go python java …]
// Without --kubeconfig a cluster is started, and the programs ask for its restart (SDK_RESTART). A language whose tools
// the machine lacks is named and left out, unless it was asked for; --quick leaves out those whose builds take minutes.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startRestartable, type RestartableCluster } from './restartable-cluster.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { kubeconfig: { type: 'string' }, quick: { type: 'boolean' } },
});
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
  /** On the machine: a program, or a command that succeeds. */
  readonly needs: string | readonly string[];
  /** Its commands in turn. */
  readonly runs: readonly Run[];
  /** Its build takes minutes. */
  readonly isSlow?: boolean;
  /** Of a cluster of its own. */
  readonly flags?: readonly string[];
}

function fabric8(version: string): Language {
  const flags = [`-Dsdk.target=${join(folder, `fabric8-${version}`)}`, `-Dfabric8.version=${version}`];
  return {
    needs: 'mvn',
    isSlow: true,
    runs: [{ argv: ['mvn', '-q', '-B', ...flags, 'compile', 'exec:java'], in: join(here, 'fabric8') }],
  };
}

/** kube-rs with one of its two TLS libraries; the folder of the build is kept for the next run where it is given. */
function rust(tls: string, needs: Language['needs']): Language {
  const target = process.env['CARGO_TARGET_DIR'] ?? join(folder, 'rust');
  const argv = ['cargo', 'run', '--quiet', '--locked', '--features', tls];
  return { needs, isSlow: true, runs: [{ argv, in: join(here, 'rust'), env: { CARGO_TARGET_DIR: target } }] };
}

/** libcurl by the library of the system, which Python loads. */
function curl(library: string): Language {
  return {
    needs: ['python3', '-c', `import ctypes; ctypes.CDLL("${library}")`],
    runs: [{ argv: ['python3', 'main.py', library], in: join(here, 'curl') }],
  };
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
  'fabric8-7.3': fabric8('7.3.1'),
  fabric8: fabric8('8.0.0'),
  'rust-rustls': rust('rustls', 'cargo'),
  'rust-openssl': rust('openssl', ['pkg-config', '--exists', 'openssl']),
  'curl-openssl': curl('libcurl.so.4'),
  'curl-gnutls': curl('libcurl-gnutls.so.4'),
  javascript: {
    needs: process.execPath,
    runs: [{ argv: [process.execPath, '--import', 'tsx', 'main.ts'], in: join(here, 'javascript') }],
  },
};

function isThere(needs: Language['needs']): boolean {
  const [program = '', ...rest] = typeof needs === 'string' ? [needs, needs === 'go' ? 'version' : '--version'] : needs;
  return spawnSync(program, rest, { stdio: 'ignore' }).status === 0;
}

async function runsWhole({ runs }: Language, cluster: Partial<RestartableCluster>): Promise<boolean> {
  const env = { ...process.env, KUBECONFIG: cluster.kubeconfig, SDK_RESTART: cluster.restarts };
  for (const { argv, in: cwd, env: more } of runs) {
    const child = spawn(argv[0] ?? '', argv.slice(1), { cwd, env: { ...env, ...more }, stdio: 'inherit' });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) return false;
  }
  return true;
}

const cluster = values.kubeconfig === undefined ? await startRestartable([]) : undefined;
const failed: string[] = [];
try {
  for (const [name, language] of Object.entries(languages)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    if (positionals.length === 0 && values.quick === true && language.isSlow === true) {
      console.log(`!!! LEFT OUT: ${name}, for its build is slow`);
      continue;
    }
    if (positionals.length === 0 && !isThere(language.needs)) {
      console.log(`!!! LEFT OUT: ${name}, for this machine has no ${[language.needs].flat().join(' ')}`);
      continue;
    }
    const own =
      values.kubeconfig === undefined && language.flags !== undefined
        ? await startRestartable(language.flags)
        : undefined;
    try {
      const used = own ?? cluster ?? { kubeconfig: values.kubeconfig ?? '' };
      if (!(await runsWhole(language, used))) failed.push(name);
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
