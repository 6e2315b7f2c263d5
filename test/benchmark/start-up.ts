import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#test/free-port.ts';
import { projectRoot } from '#test/quality/source-files.ts';

const probeEveryMs = 5;
const giveUpMs = 30_000;

/**
 * Milliseconds from the start of a command, with empty data, to a /readyz that is 200; the median of `times` starts.
 */
export async function startUpMs(command: 'npm' | 'node', times: number): Promise<number> {
  const taken: number[] = [];
  for (let i = 0; i < times; i++) taken.push(await oneStart(command));
  return taken.sort((a, b) => a - b)[Math.floor(times / 2)] ?? Number.NaN;
}

async function oneStart(command: 'npm' | 'node'): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-start-'));
  const port = await freePort();
  const flags = ['--data-dir', dataDir, '--secure-port', String(port)];
  const [program, argv] =
    command === 'npm'
      ? (['npm', ['start', '--', ...flags]] as const)
      : ([process.execPath, [join('dist', 'quarterdeck.js'), ...flags]] as const);
  const started = performance.now();
  // A group of its own, since npm does not pass signals to what its shell runs.
  const child = spawn(program, argv, { cwd: projectRoot, stdio: 'ignore', detached: true });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  while (!(await isReady(port))) {
    if (performance.now() - started > giveUpMs) throw new Error(`${command} did not get ready`);
    await new Promise((resolve) => setTimeout(resolve, probeEveryMs));
  }
  const taken = performance.now() - started;
  process.kill(-(child.pid ?? 0), 'SIGTERM');
  await ended;
  await untilRefused(port);
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  return taken;
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    request({ host: '127.0.0.1', port, path: '/readyz', rejectUnauthorized: false, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    })
      .on('error', () => resolve(false))
      .end();
  });
}

async function untilRefused(port: number): Promise<void> {
  while (await isReady(port)) await new Promise((resolve) => setTimeout(resolve, 20));
}
