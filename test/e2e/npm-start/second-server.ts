/**
 * Starts further servers on a data directory that is in use, with the embedded store and with an etcd of its own: they
 * have to end with one line, and the first one has to serve as before. Then kills servers and starts others at once,
 * which have to get ready. Usage: second-server.ts; QUARTERDECK_DIST names other bundles than those of dist/.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#test/free-port.ts';
import { descendantsOf } from './process-tree.ts';

const program = join(
  process.env['QUARTERDECK_DIST'] ?? join(import.meta.dirname, '..', '..', '..', 'dist'),
  'quarterdeck.js',
);
const refused =
  /^\S+ \S+ is used by another server \(process \d+\): end it \(kill \d+\), or name another --data-dir\n$/;
const manyStarts = 20;
const readyWithinMs = 60_000;
const pollMs = 10;

const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-second-'));
const started = new Set<ChildProcess>();
let failures = 0;

interface Start {
  readonly child: ChildProcess;
  readonly dataDir: string;
  readonly port: string;
  output(): string;
  isReady(): boolean;
  /** Resolves when it is ready or has ended. */
  settled(): Promise<void>;
}

function run(argv: readonly string[], dataDir: string, port: string): Start {
  const child = spawn(process.execPath, [program, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
  started.add(child);
  child.once('exit', () => started.delete(child));
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => (text += more));
  const closed = new Promise((resolve) => child.once('close', resolve)).then(() => 'closed' as const);
  const isReady = (): boolean => / ready (?:at|after) /.test(text);
  const settled = async (): Promise<void> => {
    const deadline = performance.now() + readyWithinMs;
    while (!isReady() && performance.now() < deadline)
      if ((await Promise.race([closed, sleep(pollMs)])) === 'closed') return;
  };
  return { child, dataDir, port, output: () => text, isReady, settled };
}

async function launch(dataDir: string, flags: readonly string[]): Promise<Start> {
  const port = String(await freePort());
  return run(['--data-dir', dataDir, '--secure-port', port, ...flags], dataDir, port);
}

function check(what: string, isGood: boolean, output = ''): void {
  if (!isGood) failures++;
  process.stdout.write(`${isGood ? 'ok' : 'FAILED'}: ${what}${isGood ? '' : `\n${output}`}\n`);
}

/** What a second server must not change: every file with its number and time, but for those that are written to. */
function stateOf(dataDir: string): string {
  return ['kubeconfig', ...readdirSync(join(dataDir, 'run')), ...readdirSync(join(dataDir, 'pki'))]
    .flatMap((name) => ['', 'run', 'pki'].map((part) => join(dataDir, part, name)))
    .map((path) => ({ path, stat: statSync(path, { throwIfNoEntry: false }) }))
    .map(({ path, stat }) => `${path} ${stat?.ino} ${stat?.mtimeMs}`)
    .join('\n');
}

async function isServing({ dataDir, port }: Start): Promise<boolean> {
  const health = run(['health', '--data-dir', dataDir, '--secure-port', port], dataDir, port);
  const [code] = (await once(health.child, 'close')) as [number];
  return code === 0;
}

async function end({ child }: Start, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'close');
}

async function playSecondStarts(kind: string, flags: readonly string[]): Promise<void> {
  const dataDir = join(folder, kind);
  const first = await launch(dataDir, flags);
  await first.settled();
  check(`${kind}: a first server is ready`, first.isReady(), first.output());
  const before = stateOf(dataDir);
  const second = await launch(dataDir, flags);
  await second.settled();
  check(`${kind}: a second server is refused in one line`, refused.test(second.output()), second.output());
  const core = run(['core', '--data-dir', dataDir, '--etcd-servers', 'http://127.0.0.1:1'], dataDir, '');
  await core.settled();
  check(`${kind}: a core alone is refused in one line`, refused.test(core.output()), core.output());
  check(`${kind}: nothing of the first was touched`, stateOf(dataDir) === before, stateOf(dataDir));
  check(`${kind}: the first serves`, await isServing(first));
  const copy = `${dataDir}-copy`;
  cpSync(dataDir, copy, { recursive: true, filter: (path) => !path.endsWith('.sock') });
  const third = await launch(copy, flags);
  await third.settled();
  check(`${kind}: a server on a copy is ready`, third.isReady(), third.output());
  await end(third);
  await end(first);
}

async function playManyStarts(kind: string, flags: readonly string[]): Promise<void> {
  const dataDir = join(folder, `${kind}-many`);
  const all = await Promise.all(Array.from({ length: manyStarts }, () => launch(dataDir, flags)));
  await Promise.all(all.map((start) => start.settled()));
  const ready = all.filter((start) => start.isReady());
  const wrong = all.filter((start) => !start.isReady() && !refused.test(start.output()));
  check(
    `${kind}: of ${manyStarts} starts at once one is ready, and the others are refused`,
    ready.length === 1 && wrong.length === 0,
    `${ready.length} are ready\n${wrong.map((start) => start.output()).join('')}`,
  );
  await Promise.all(all.map((start) => end(start)));
}

async function playKills(kind: string, flags: readonly string[]): Promise<void> {
  const dataDir = join(folder, `${kind}-kills`);
  for (const [what, pidsOf] of [
    ['the launcher', (pid: number) => [pid]],
    ['all processes', (pid: number) => descendantsOf(pid).map((line) => line.pid)],
  ] as const)
    for (const pauseMs of [0, 200]) {
      const killed = await launch(dataDir, flags);
      await killed.settled();
      for (const pid of pidsOf(killed.child.pid ?? 0)) process.kill(pid, 'SIGKILL');
      await sleep(pauseMs);
      const port = killed.port;
      const next = run(['--data-dir', dataDir, '--secure-port', port, ...flags], dataDir, port);
      await next.settled();
      const isGood = next.isReady() && (await isServing(next));
      check(`${kind}: ready ${pauseMs} ms after ${what} was killed`, isGood, killed.output() + next.output());
      await end(next);
    }
}

try {
  const etcdUrl = `http://127.0.0.1:${await freePort()}`;
  const etcd = run(['store', '--data-dir', join(folder, 'etcd'), '--listen-client-urls', etcdUrl], folder, '');
  await etcd.settled();
  for (const [kind, flags] of [
    ['embedded', []],
    ['etcd', ['--etcd-servers', etcdUrl]],
  ] as const) {
    await playSecondStarts(kind, flags);
    await playManyStarts(kind, flags);
    await playKills(kind, flags);
  }
} finally {
  await Promise.all(Array.from(started, (child) => (child.kill('SIGTERM'), once(child, 'close'))));
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;
