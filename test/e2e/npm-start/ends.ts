// Ends `npm start` in every way that there is and looks at what stays behind. Needs a build, /proc and, for the
// terminal, script(1).
//   node --import tsx test/e2e/npm-start/ends.ts [--within SECONDS] [TIMES [REGEX]]
// Each way is played ten times, or TIMES; REGEX chooses ways, as 'SIGKILL to launcher' does. --within: all processes
// are gone in that time; 5 on a quiet machine.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '#test/free-port.ts';
import { descendantsOf, progressOf, type ProcessLine } from './process-tree.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  // Without the flag long enough for any machine: what stays for good is to be found.
  options: { within: { type: 'string', default: '60' } },
});
const goneWithinMs = Number(flags.within) * 1000;
const readyWithinMs = 60_000;
const pollIntervalMs = 2;

/**
 * Who is polled first: of two that end in order, and both between two polls, the later one must not seem to be the
 * first.
 */
const pollOrder = ['store', 'core', 'extensions', 'gateway'];

/** npm's shell becomes the launcher (`exec` in package.json), so a signal to either is one to both. */
type Who = 'npm' | 'launcher' | 'terminal';

interface Way {
  readonly who: Who;
  readonly signal: NodeJS.Signals;
}

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const;
const ways: readonly Way[] = [
  ...(['npm', 'launcher'] as const).flatMap((who) => signals.map((signal): Way => ({ who, signal }))),
  { who: 'terminal', signal: 'SIGKILL' },
];

interface Started {
  readonly port: number;
  readonly processes: readonly ProcessLine[];
  readonly pidOf: (who: Who) => number;
  readonly remove: () => void;
}

async function start(who: Who): Promise<Started> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarterdeck-ends-'));
  const port = await freePort();
  const argv = ['start', '--', '--data-dir', dataDir, '--secure-port', String(port)];
  const [file, args] =
    who === 'terminal'
      ? (['script', ['-qfc', ['npm', ...argv].join(' '), '/dev/null']] as const)
      : (['npm', argv] as const);
  // What runs this is under npm, too, and ends later: what is started has a session and an npm of its own.
  const { npm_lifecycle_event: _event, ...env } = process.env;
  const child = spawn(file, args, { cwd: root, detached: true, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => (text += more));
  const deadline = performance.now() + readyWithinMs;
  while (!text.includes(' is ready at ')) {
    if (performance.now() > deadline || child.exitCode !== null)
      throw new Error(`npm start did not get ready:\n${text}`);
    await sleep(10);
  }
  const processes = descendantsOf(child.pid ?? 0);
  const pidOf = (wanted: Who): number => {
    if (wanted === 'terminal') return child.pid ?? 0;
    const pattern = { npm: /^npm start/, launcher: /^node dist\/quarterdeck\.js/ }[wanted];
    const found = processes.find(({ args: line }) => pattern.test(line));
    if (found === undefined)
      throw new Error(`there is no ${wanted}:\n${processes.map(({ pid, args: line }) => `${pid} ${line}`).join('\n')}`);
    return found.pid;
  };
  return { port, processes, pidOf, remove: () => rmSync(dataDir, { recursive: true, force: true }) };
}

/** What is wrong afterwards; empty when all is well. */
async function end({ who, signal }: Way): Promise<string[]> {
  const { port, processes, pidOf, remove } = await start(who);
  const startedAt = performance.now();
  process.kill(pidOf(who), signal);
  const left = new Map(
    processes
      .toSorted((a, b) => pollOrder.indexOf(a.server) - pollOrder.indexOf(b.server))
      .map((line) => [line.pid, line]),
  );
  const endedAt = new Map<string, number>();
  while (left.size > 0 && performance.now() - startedAt < goneWithinMs) {
    const polledAt = performance.now();
    for (const { pid, server } of left.values()) {
      const progress = progressOf(pid);
      if (progress !== 'runs' && server !== '' && !endedAt.has(server)) endedAt.set(server, polledAt);
      if (progress === 'ended') left.delete(pid);
    }
    await sleep(pollIntervalMs);
  }
  const wrong = [...left.values()].map(({ pid, args }) => `still there after ${goneWithinMs / 1000} s: ${pid} ${args}`);
  if (left.size === 0 && (await isTaken(port))) wrong.push(`port ${port} is still taken`);
  if (left.size === 0 && !isInOrder(endedAt))
    wrong.push(
      `ended in the order ${Array.from(endedAt, ([server, atMs]) => `${server} ${Math.round(atMs - startedAt)} ms`).join(', ')}`,
    );
  for (const pid of left.keys()) process.kill(pid, 'SIGKILL');
  remove();
  return wrong;
}

/** Of servers that were found ended by one poll nobody can say which was first. */
function isInOrder(endedAt: ReadonlyMap<string, number>): boolean {
  const [gateway = 0, core = 0, extensions = 0, store = 0] = ['gateway', 'core', 'extensions', 'store'].map((server) =>
    endedAt.get(server),
  );
  return endedAt.size === 4 && gateway <= Math.min(core, extensions) && Math.max(core, extensions) <= store;
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });
}

function hasScript(): boolean {
  try {
    execFileSync('script', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const times = Number(positionals[0] ?? 10);
const only = new RegExp(positionals[1] ?? '');
const nameOf = ({ who, signal }: Way): string =>
  who === 'terminal' ? 'the terminal is closed' : `${signal} to ${who}`;
let failures = 0;
for (const way of ways.filter((one) => only.test(nameOf(one)))) {
  if (way.who === 'terminal' && !hasScript()) {
    console.log('!!! LEFT OUT: a terminal that is closed: there is no script(1)');
    continue;
  }
  const wrong: string[] = [];
  for (let at = 0; at < times; at++) wrong.push(...(await end(way)));
  failures += wrong.length;
  console.log(
    `${wrong.length === 0 ? 'ok' : 'FAILED'}: ${nameOf(way)}, ${times} times${wrong.map((line) => `\n  ${line}`).join('')}`,
  );
}
process.exitCode = failures > 0 ? 1 : 0;
