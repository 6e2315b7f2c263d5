import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { http1Client } from '#test/api-client.ts';
import { freePort } from '#test/free-port.ts';

const program = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'servers', 'launcher', 'main.ts');

/** Starts a sub-command by itself; `ready` resolves with its ready line. */
function start(...argv: string[]): { child: ChildProcess; ready: Promise<void> } {
  const child = spawn(process.execPath, ['--import', 'tsx', program, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  const ready = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (more: string) => {
        text += more;
        if (/^\w+ ready after /m.test(text)) resolve();
      });
    }
    child.once('exit', (code) => reject(new Error(`${argv[0]} ended with ${code}: ${text}`)));
  });
  return { child, ready };
}

describe('store, core, extensions and gateway', () => {
  test('form a cluster with keys and kubeconfig when they are started one by one', async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'quarterdeck-'));
    const [port, storePort] = [String(await freePort()), await freePort()];
    const etcd = `http://127.0.0.1:${storePort}`;
    // The servers come first and wait for the store.
    const processes = [
      start('gateway', '--data-dir', dataDir, '--secure-port', port, '--etcd-servers', etcd),
      start('core', '--data-dir', dataDir, '--secure-port', port, '--etcd-servers', etcd),
      start('extensions', '--data-dir', dataDir, '--secure-port', port, '--etcd-servers', etcd),
      start('store', '--data-dir', join(dataDir, 'store'), '--listen-client-urls', etcd),
    ];
    t.after(() => rmSync(dataDir, { recursive: true, force: true }));
    try {
      await Promise.all(processes.map(({ ready }) => ready));
      assert.equal(statSync(join(dataDir, 'kubeconfig')).mode & 0o777, 0o600);
      const client = http1Client({ url: `https://127.0.0.1:${port}`, pki: join(dataDir, 'pki') });
      const created = await client.send('POST', '/api/v1/namespaces/default/configmaps', {
        body: { metadata: { name: 'a' } },
      });
      assert.equal(created.status, 201, created.text);
      assert.equal((await client.send('GET', '/readyz')).text, 'ok');
      client.close();
    } finally {
      for (const { child } of processes) {
        if (child.exitCode !== null) continue;
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
    }
    assert.deepEqual(
      processes.map(({ child }) => child.exitCode),
      [0, 0, 0, 0],
    );
  });
});
