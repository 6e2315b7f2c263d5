/**
 * Sends signals to all processes of a server at once, as a supervisor does, in several orders, during the start and
 * when it is ready: it has to end with code 0, without a line, and leaves no process behind.
 * Usage: signals-to-all.ts [TIMES]; QUARTERDECK_DIST names other bundles than those of dist/.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { descendantsOf, progressOf, type ProcessLine } from './process-tree.ts';

const program = join(
  process.env['QUARTERDECK_DIST'] ?? join(import.meta.dirname, '..', '..', '..', 'dist'),
  'quarterdeck.js',
);
const times = Number(process.argv[2] ?? 3);
const readyLine = /quarterdeck is ready at \S+ after \d+ ms, KUBECONFIG=\S+\n/;
const goneWithinMs = 20_000;
const pollMs = 10;
const childrenWithinMs = 10_000;
let failures = 0;

type Order = (processes: readonly ProcessLine[]) => readonly ProcessLine[];
const storeFirst: Order = (all) => all.toSorted((a, b) => Number(b.server === 'store') - Number(a.server === 'store'));
const launcherLast: Order = (all) => all.toReversed();
const orders: Readonly<Record<string, Order>> = {
  'the launcher first': (all) => all,
  'the launcher last': launcherLast,
  'the store first': storeFirst,
};

interface Way {
  readonly name: string;
  readonly signal: NodeJS.Signals;
  readonly order: Order;
  /** After the start of the children, or when the server is ready. */
  readonly moment: 'start' | 'ready';
  /** Between two processes. */
  readonly pauseMs: number;
}

const ways: readonly Way[] = (['SIGTERM', 'SIGINT', 'SIGHUP'] as const).flatMap((signal) =>
  Object.entries(orders).flatMap(([name, order]) =>
    (['start', 'ready'] as const).flatMap((moment) =>
      [0, 30].map((pauseMs) => ({
        name: `${signal}, ${name}, ${moment}, ${pauseMs} ms apart`,
        signal,
        order,
        moment,
        pauseMs,
      })),
    ),
  ),
);

/** What is wrong; empty when all is well. */
async function play({ signal, order, moment, pauseMs }: Way): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarterdeck-signals-'));
  const launcher = spawn(process.execPath, [program, '--data-dir', dataDir, '--secure-port', '0'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [launcher.stdout, launcher.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => (text += more));
  const closed = once(launcher, 'close');
  const isThere = (): boolean =>
    moment === 'ready'
      ? readyLine.test(text)
      : new Set(descendantsOf(launcher.pid ?? 0).map(({ server }) => server)).has('gateway');
  const deadline = performance.now() + childrenWithinMs;
  while (!isThere() && performance.now() < deadline) await sleep(pollMs);
  const processes = descendantsOf(launcher.pid ?? 0);
  for (const { pid } of order(processes)) {
    if (progressOf(pid) === 'runs') process.kill(pid, signal);
    await sleep(pauseMs);
  }
  const [code, endSignal] = (await closed) as [number | null, NodeJS.Signals | null];
  const goneBy = performance.now() + goneWithinMs;
  const left = (): readonly ProcessLine[] => processes.filter(({ pid }) => progressOf(pid) !== 'ended');
  while (left().length > 0 && performance.now() < goneBy) await sleep(pollMs);
  for (const { pid } of left()) process.kill(pid, 'SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
  const said = text.replace(readyLine, '');
  return code === 0 && said === '' && left().length === 0 ? '' : `${endSignal ?? `code ${code}`}: ${said}`;
}

for (const way of ways) {
  const wrong: string[] = [];
  for (let at = 0; at < times; at++) wrong.push(await play(way));
  const faults = wrong.filter((fault) => fault !== '');
  failures += faults.length;
  process.stdout.write(
    `${faults.length === 0 ? 'ok' : 'FAILED'}: ${way.name}${faults.map((fault) => `\n  ${fault}`).join('')}\n`,
  );
}
process.exitCode = failures === 0 ? 0 : 1;
