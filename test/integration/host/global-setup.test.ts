import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findHost, hostVariable, providedKey } from '#servers/host/client/find-host.ts';
import { globalTeardown, setUpRun, tearDownRun } from '#servers/host/client/global-setup.ts';
import { startCluster } from '#servers/host/client/start-cluster.ts';

const file = fileURLToPath(new URL('./hold-cluster.ts', import.meta.url));

/** Starts a test file; resolves when its cluster is there. */
async function startFile(): Promise<{ readonly child: ChildProcess; readonly folder: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, folder: dirname(line.toString().trim()) };
}

describe('global setup', { timeout: 120_000 }, () => {
  test('gives the files of a run one host, which closes the clusters of a file that was killed', async () => {
    const provided = new Map<string, unknown>();
    const tearDown = await setUpRun({ provide: (key, value) => void provided.set(key, value) });
    const socket = process.env[hostVariable] ?? '';
    assert.deepEqual([...provided], [[providedKey, socket]]);
    assert.equal(statSync(dirname(socket)).mode & 0o777, 0o700);
    assert.equal(statSync(socket).mode & 0o777, 0o600);
    const files = await Promise.all([startFile(), startFile()]);
    assert.deepEqual(
      files.map(({ folder }) => dirname(folder)),
      [dirname(socket), dirname(socket)],
    );
    const [first, second] = files;
    first?.child.kill('SIGKILL');
    while (existsSync(first?.folder ?? '')) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.ok(existsSync(second?.folder ?? ''));
    second?.child.kill('SIGKILL');
    await tearDown();
    assert.equal(existsSync(dirname(socket)), false);
    assert.equal(process.env[hostVariable], undefined);
  });

  test('repeated by a runner that watches, keeps the host and what clients know of it', async () => {
    await setUpRun({ watch: true });
    const socket = process.env[hostVariable];
    await using cluster = await startCluster();
    await tearDownRun({ watch: true });
    await setUpRun({ watch: true });
    assert.equal(process.env[hostVariable], socket);
    assert.ok(await cluster.mark());
    await tearDownRun({ watch: false });
    assert.equal(existsSync(join(socket ?? '', '..')), false);
    await assert.rejects(cluster.mark(), /the process of the clusters, which listened at .*, has ended/);
  });

  test('whose host is gone, is told with the variable that names it', async () => {
    process.env[hostVariable] = '/nowhere/host.sock';
    await assert.rejects(findHost(), {
      message:
        'the process of the clusters of this run does not answer at /nowhere/host.sock (ENOENT): run "quarterdeck/global-setup" again, or unset QUARTERDECK_HOST',
    });
    await globalTeardown();
  });
});
