import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { get as getPlain } from 'node:http';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#test/free-port.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const dist = process.env['QUARTERDECK_DIST'];
const program =
  dist === undefined
    ? ['--import', import.meta.resolve('tsx'), join(root, 'servers', 'launcher', 'main.ts')]
    : [join(dist, 'quarterdeck.js')];

function answers(url: string): Promise<boolean> {
  return new Promise((tell) => {
    (url.startsWith('https:') ? get : getPlain)(url, { agent: false, rejectUnauthorized: false }, (answer) => {
      answer.resume();
      tell(answer.statusCode === 200);
    }).on('error', () => tell(false));
  });
}

/** Whether a process group has a process: a signal to one that has none fails. */
function hasProcesses(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}

describe('programs of envtest', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'envtest-'));
  const [cache, work] = [join(folder, "user's cache"), join(folder, 'work')];
  const env = { ...process.env, XDG_CACHE_HOME: cache };
  let assets = '';
  before(() => {
    mkdirSync(work);
    mkdirSync(cache);
    assets = execFileSync(process.execPath, [...program, 'envtest'], { env, cwd: work, encoding: 'utf8' }).trim();
  });
  const started: ChildProcess[] = [];
  after(() => {
    // Those of a test that failed.
    for (const child of started) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  /** What each program had written when it ended. */
  const said = new Map<string, string>();

  /** Starts one in a process group of its own, as envtest does, and waits until it serves. */
  async function start(name: string, flags: readonly string[], url: string): Promise<ChildProcess> {
    const child = spawn(join(assets, name), flags, {
      cwd: work,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.push(child);
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (more: string) => (text += more));
    while (!(await answers(url))) {
      if (child.exitCode !== null) throw new Error(text);
      await sleep(20);
    }
    child.on('exit', () => said.set(name, text));
    return child;
  }

  async function end(child: ChildProcess): Promise<unknown> {
    const ended = once(child, 'exit');
    process.kill(-(child.pid as number), 'SIGTERM');
    const [code] = (await ended) as [number];
    // Its children got the signal at the same time, and may end a moment later.
    while (hasProcesses(child.pid as number)) await sleep(20);
    return code;
  }

  test('are in a folder that only this user can open, the same each time', () => {
    assert.equal(statSync(assets).mode & 0o777, 0o700);
    assert.equal(dirname(dirname(assets)), cache);
    const again = execFileSync(process.execPath, [...program, 'envtest'], { env, cwd: work, encoding: 'utf8' });
    assert.equal(again, `${assets}\n`);
  });

  test('serve, leave nothing where they run, and end with their process groups', async () => {
    const [etcdPort, port] = [await freePort(), await freePort()];
    const [data, certs] = [join(folder, 'etcd'), join(folder, 'certs')];
    mkdirSync(data);
    mkdirSync(certs);
    const url = `http://127.0.0.1:${etcdPort}`;
    const urls = [
      '--listen-peer-urls=http://localhost:0',
      `--advertise-client-urls=${url}`,
      `--listen-client-urls=${url}`,
    ];
    const etcd = await start('etcd', [`--data-dir=${data}`, ...urls, '--unsafe-no-fsync'], `${url}/health`);
    assert.ok(readdirSync(assets).includes(`${etcdPort}.sock`));
    const flags = [
      `--cert-dir=${certs}`,
      `--etcd-servers=${url}`,
      `--secure-port=${port}`,
      '--authorization-mode=RBAC',
    ];
    const apiserver = await start('kube-apiserver', flags, `https://127.0.0.1:${port}/readyz`);
    assert.deepEqual(readdirSync(certs).toSorted(), ['apiserver.crt', 'apiserver.key', 'quarterdeck']);
    assert.equal(await end(apiserver), 0);
    assert.equal(await end(etcd), 0);
    assert.equal(said.get('kube-apiserver'), '');
    assert.deepEqual(readdirSync(work), []);
    assert.ok(!readdirSync(assets).includes(`${etcdPort}.sock`));
  });

  test('tell flags and refuse unknown ones as the reference does', () => {
    const run = (name: string, flag: string) =>
      spawnSync(join(assets, name), [flag], { cwd: work, env, encoding: 'utf8' });
    assert.match(run('etcd', '--help').stdout, /--listen-peer-urls[^]*--unsafe-no-fsync/);
    assert.match(run('kube-apiserver', '--help').stdout, /--etcd-servers/);
    const refused = run('kube-apiserver', '--no-such-flag');
    assert.deepEqual([refused.status, refused.stdout], [1, '']);
    assert.match(refused.stderr, /unknown flag: --no-such-flag/);
  });
});
