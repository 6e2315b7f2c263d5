/**
 * Types what somebody types who sees the product for the first time, and checks what it answers. Usage: first-steps.ts;
 * QUARTERDECK_DIST names other bundles than those of dist/.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#test/free-port.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const program = join(process.env['QUARTERDECK_DIST'] ?? join(root, 'dist'), 'quarterdeck.js');
const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-first-'));
const etcdWithinMs = 4_000;
let failures = 0;

function check(what: string, isGood: boolean, output = ''): void {
  if (!isGood) failures++;
  process.stdout.write(`${isGood ? 'ok' : 'FAILED'}: ${what}${isGood ? '' : `\n${output}`}\n`);
}

function typed(words: string, answer: RegExp, wantedStatus = 0): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words.split(' ')], {
    encoding: 'utf8',
    cwd: folder,
  });
  check(`quarterdeck ${words}`, status === wantedStatus && answer.test(stdout + stderr), stdout + stderr);
}

/** The first answer 200 of /readyz, which must not come before the kubeconfig. */
async function playReadiness(): Promise<void> {
  const [dataDir, port] = [join(folder, 'data'), await freePort()];
  const launcher = spawn(process.execPath, [program, '--data-dir', dataDir, '--secure-port', String(port)], {
    stdio: 'ignore',
  });
  while ((await readiness(port)) !== 200) await sleep(2);
  check('the kubeconfig is there when /readyz is ok', existsSync(join(dataDir, 'kubeconfig')));
  launcher.kill('SIGTERM');
  await once(launcher, 'close');
}

function readiness(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    get({ port, host: '127.0.0.1', path: '/readyz', agent: false, rejectUnauthorized: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).on('error', () => resolve(undefined));
  });
}

async function playMissingEtcd(argv: readonly string[]): Promise<void> {
  const etcd = `http://127.0.0.1:${await freePort()}/`;
  const flags = ['--data-dir', join(folder, 'etcd'), '--secure-port', String(await freePort()), '--etcd-servers', etcd];
  const launcher = spawn(process.execPath, [program, ...argv, ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
  let text = '';
  launcher.stderr.setEncoding('utf8').on('data', (more: string) => (text += more));
  const deadline = performance.now() + etcdWithinMs;
  while (!text.includes(`waiting for etcd at ${etcd}`) && performance.now() < deadline) await sleep(10);
  check(
    `${argv.join(' ')} tells which etcd it waits for`,
    /^\w+: waiting for etcd at \S+, which does not answer \(ECONNREFUSED\): start it, or name another with --etcd-servers\n$/m.test(
      text,
    ),
    text,
  );
  launcher.kill('SIGTERM');
  await once(launcher, 'close');
}

/** What npm runs where nothing was built. */
function playMissingBuild(): void {
  const clone = join(folder, 'clone');
  mkdirSync(join(clone, 'servers', 'launcher'), { recursive: true });
  const modules = ['build', 'build-client', 'call-places', 'fill-code-caches', 'first-requests'];
  for (const name of ['package.json', ...modules.map((module) => `servers/launcher/${module}.mjs`)])
    copyFileSync(join(root, name), join(clone, name));
  for (const [command, line] of [
    ['start', /^quarterdeck is not built: run "npm ci", or "npm run build" [^\n]+\n$/],
    ['prepare', /^quarterdeck cannot be built without its development packages: run "npm ci" [^\n]+\n$/],
  ] as const) {
    const { status, stderr } = spawnSync('npm', ['run', '--silent', command], { encoding: 'utf8', cwd: clone });
    check(`npm run ${command} without packages`, status !== 0 && line.test(stderr), stderr);
  }
}

try {
  typed('help', /^Usage:\n {2}quarterdeck \[flags\][^]* keys [^]* health /);
  typed('--help', /--bind-address ip .*\(default 127\.0\.0\.1\)/);
  typed('keys --help', /^Usage:/);
  typed('health --help', /^Usage:/);
  typed('version', /^Kubernetes v\d/);
  typed('server', /^error: unknown command "server": start all servers without a command, .*\n$/, 1);
  playMissingBuild();
  await playReadiness();
  await playMissingEtcd([]);
  await playMissingEtcd(['core']);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;
