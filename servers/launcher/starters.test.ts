import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { describe, test, type TestContext } from 'node:test';

const module = new URL('starters.ts', import.meta.url).href;
/** Says whose end it waits for, and when that has come. */
const watcher = `
import { findStarters, watchStarters } from ${JSON.stringify(module)};
const starters = findStarters();
console.log(process.pid, ...starters.map(({ pid }) => pid));
const idle = setInterval(() => {}, 1000);
watchStarters(starters, () => { console.log('ended'); clearInterval(idle); });
`;
const tsx = ['--import', 'tsx', '--input-type=module', '-e', watcher];

interface Started {
  readonly starter: ChildProcess;
  readonly watcher: number;
  readonly watched: readonly number[];
}

/** A process that starts the watcher, through a shell that does not become it where `shell` is set. */
async function start(t: TestContext, { shell = false, npm = false, detached = false }): Promise<Started> {
  const [file, args] = shell
    ? (['/bin/sh', ['-c', '"$@"; true', 'sh', process.execPath, ...tsx]] as const)
    : ([process.execPath, tsx] as const);
  const env: NodeJS.ProcessEnv = { ...process.env };
  delete env['npm_lifecycle_event'];
  const program = `require('node:child_process').spawn(${JSON.stringify(file)}, ${JSON.stringify(args)}, { stdio: ['inherit', 'inherit', 'ignore'], detached: ${detached}, env: { ...process.env, ${npm ? "npm_lifecycle_event: 'start'" : ''} } })`;
  const starter = spawn(process.execPath, ['-e', program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  starter.stdout?.setEncoding('utf8');
  const [line] = (await once(starter.stdout ?? starter, 'data')) as [string];
  const [pid = 0, ...watched] = line.trim().split(' ').map(Number);
  t.after(() => {
    starter.kill('SIGKILL');
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      /* It has ended. */
    }
  });
  return { starter, watcher: pid, watched };
}

const skip = existsSync('/proc/self/stat') ? false : 'there is no /proc';

describe('watchStarters', () => {
  test('notices the end of npm behind its shell', { skip }, async (t) => {
    const { starter, watched } = await start(t, { shell: true, npm: true });
    assert.deepEqual(watched, [starter.pid]);
    starter.kill('SIGKILL');
    assert.deepEqual(await once(starter.stdout ?? starter, 'data'), ['ended\n']);
  });

  test('watches a parent that is not a shell, but neither a shell nor its parent', { skip }, async (t) => {
    const [direct, behindShell, detached] = await Promise.all([
      start(t, {}),
      start(t, { shell: true }),
      start(t, { detached: true }),
    ]);
    assert.deepEqual([direct.watched, behindShell.watched, detached.watched], [[direct.starter.pid], [], []]);
    direct.starter.kill('SIGKILL');
    assert.deepEqual(await once(direct.starter.stdout ?? direct.starter, 'data'), ['ended\n']);
  });
});
