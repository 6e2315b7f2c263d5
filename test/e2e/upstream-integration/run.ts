// Runs upstream's own integration tests, which start a server for each of them, on the bundles of dist (or
// QUARTERDECK_DIST):
//   REFERENCE_BIN=FOLDER node --import tsx test/e2e/upstream-integration/run.ts [FLAGS] [--only REGEX] [PACKAGE…]
// Flags: `--plain` runs them on the reference, as upstream does; `--embedded` keeps data in the embedded store
// instead of etcd; `--build` builds what is not there yet (build.sh). Prints what failed.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { referenceProgram, startEtcd } from '#test/reference.ts';
import { suites, type Suite } from './suites.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    plain: { type: 'boolean', default: false },
    embedded: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    build: { type: 'boolean', default: false },
  },
});
const root = process.env['REFERENCE_ROOT'] ?? join(homedir(), '.cache', 'kubernetes-reference');
const bin = process.env['REFERENCE_BIN'] ?? join(root, 'bin');
const bundle = join(
  process.env['QUARTERDECK_DIST'] ?? join(import.meta.dirname, '..', '..', '..', 'dist'),
  'quarterdeck.js',
);

const onEmbeddedStore = join(import.meta.dirname, 'on-embedded-store.mjs');

function binaryOf({ package: name }: Suite): string {
  return join(bin, 'integration', `${name.replaceAll('/', '-')}${values.plain ? '.plain' : ''}.test`);
}

/** Tests read files beside them. */
function folderOf({ package: name }: Suite): string {
  const [, below] = /^apiextensions-apiserver(.*)/.exec(name) ?? [];
  return below === undefined
    ? join(root, 'kubernetes', 'test', 'integration', name)
    : join(root, 'apiextensions-apiserver', 'test', 'integration', below);
}

/** Go matches the parts of a name one by one. */
function patternOf(name: string): string {
  return name
    .split('/')
    .map((part) => `^${part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`)
    .join('/');
}

/**
 * Resolves to the names of the tests that failed, and how many passed; a failed test of which a part failed counts by
 * its parts.
 */
async function run(
  suite: Suite,
  etcdUrl: string,
): Promise<{ readonly passed: number; readonly failed: readonly string[] }> {
  const skipped = values.plain ? [] : Object.values(suite.leftOut ?? {}).flat();
  // As `go test` names it: clients tell it as the manager of fields.
  const name = `${basename(folderOf(suite))}.test`;
  const child = spawn(
    binaryOf(suite),
    [
      '-test.v',
      '-test.timeout=30m',
      ...(values.only === '' ? [] : [`-test.run=${values.only}`]),
      ...(skipped.length === 0 ? [] : [`-test.skip=${skipped.map(patternOf).join('|')}`]),
    ],
    {
      cwd: folderOf(suite),
      argv0: name,
      env: {
        ...process.env,
        PATH: [bin, process.env['PATH']].join(delimiter),
        KUBE_INTEGRATION_ETCD_URL: etcdUrl,
        SERVER_COMMAND: [process.execPath, ...(values.embedded ? [onEmbeddedStore] : []), bundle].join(' '),
        EMBEDDED_DATA: folder,
        PERIODS_MODULE: join(import.meta.dirname, 'shorter-periods.mjs'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const closed = once(child, 'close');
  const failed = new Set<string>();
  let passed = 0;
  let kept: string[] = [];
  // A log of the clients and of the reference, and what Go says when a test panics.
  let logged: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    logged = [...logged.slice(-60), line];
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const [, state, name] = /^\s*--- (PASS|FAIL|SKIP): (\S+)/.exec(line) ?? [];
    if (state === 'PASS') passed += 1;
    if (state === 'FAIL' && name !== undefined) {
      failed.add(name);
      if (!name.includes('/'))
        console.log(
          kept
            .map((text) => text.slice(0, 600))
            .slice(-40)
            .join('\n'),
        );
    }
    if (/^=== RUN +[^/]+$/.test(line)) kept = [];
    // Controllers that run in the test's process log what they do.
    else if (!/^\s+\S+\.go:\d+: I\d{4} /.test(line)) kept = [...kept.slice(-200), line];
  }
  await closed;
  if (failed.size === 0 && child.exitCode !== 0)
    failed.add(`${suite.package}: exit code ${child.exitCode}\n${[...kept.slice(-40), ...logged].join('\n')}`);
  const parts = [...failed].filter((name) => ![...failed].some((other) => other.startsWith(`${name}/`)));
  return { passed, failed: parts };
}

const chosen: readonly Suite[] =
  positionals.length === 0
    ? suites
    : positionals.map((name) => suites.find((suite) => suite.package === name) ?? { package: name });
if (values.build)
  spawnSync(
    'bash',
    [
      join(import.meta.dirname, 'build.sh'),
      ...(values.plain ? ['--plain'] : []),
      ...chosen.map((suite) => suite.package),
    ],
    { stdio: 'inherit' },
  );
const missing = chosen.filter((suite) => !existsSync(binaryOf(suite)));
if (missing.length > 0) throw new Error(`not built: ${missing.map((suite) => suite.package).join(', ')} (build.sh)`);
const folder = mkdtempSync(join(tmpdir(), 'upstream-integration-'));
const etcd = await startEtcd(referenceProgram('etcd') ?? '', folder);
let failures = 0;
try {
  for (const suite of chosen) {
    const { passed, failed } = await run(suite, etcd.url);
    failures += failed.length;
    console.log(
      `${suite.package}: ${passed} tests pass, ${failed.length} fail${failed.map((name) => `\n  ${name}`).join('')}`,
    );
    if (passed === 0) failures += 1;
  }
} finally {
  await etcd.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures > 0 ? 1 : 0;
