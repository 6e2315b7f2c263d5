import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startCluster, type Cluster } from '#test/cluster.ts';
import { descendantsOf } from '#test/e2e/npm-start/process-tree.ts';
import { JsonClient } from '#test/json-client.ts';

interface Entry {
  readonly msg: string;
  readonly err?: string;
  readonly process?: string;
  readonly v?: number;
}

/** The complete lines so far; fails for one that is no entry. */
function entries(output: string): Entry[] {
  return output
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      try {
        return JSON.parse(line) as Entry;
      } catch {
        return assert.fail(`no JSON: ${line}`);
      }
    });
}

/** Resolves with the entry as soon as there is one; each line counts on the way. */
async function entryOf(cluster: Cluster, matches: (entry: Entry) => boolean): Promise<Entry> {
  for (;;) {
    const found = entries(cluster.output()).find(matches);
    if (found !== undefined) return found;
    await once(cluster.launcher.stderr as NodeJS.ReadableStream, 'data');
  }
}

const warned = 'an odd warning';

describe('--logging-format=json', () => {
  test('writes every line of every process as JSON, without delay', { timeout: 120_000 }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-log-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const warns = join(folder, 'warns.mjs');
    writeFileSync(warns, `process.on('SIGUSR2', () => process.emitWarning(${JSON.stringify(warned)}));`);
    process.env['NODE_OPTIONS'] = `--import=${warns}`;
    // An hour between flushes, were there any: tests wait two minutes at most.
    const cluster = await startCluster({
      flags: ['--logging-format=json', '--log-flush-frequency=1h', '-v=5'],
    }).finally(() => delete process.env['NODE_OPTIONS']);
    try {
      const { hostname, port } = new URL(cluster.url);

      assert.equal((await new JsonClient(cluster.url, 'nobody has this one').call('GET', '/api')).status, 401);
      const refused = await entryOf(cluster, ({ msg }) => msg === 'Unable to authenticate the request');
      assert.match(refused.err ?? '', /invalid bearer token/);

      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      socket.end(Buffer.from('160301000501000001ff', 'hex'));
      const handshake = await entryOf(cluster, ({ msg }) => msg.startsWith('http: TLS handshake error from '));
      assert.equal(handshake.msg, `http: TLS handshake error from ${hostname}:${socket.localPort}`);
      assert.equal(handshake.v, undefined, 'an error has no level');

      const children = descendantsOf(cluster.launcher.pid as number).filter(({ server }) => server !== '');
      for (const pid of [cluster.launcher.pid as number, ...children.map((child) => child.pid)])
        process.kill(pid, 'SIGUSR2');
      for (const name of ['quarterdeck', 'store', 'core', 'extensions', 'gateway'])
        await entryOf(cluster, (entry) => entry.msg === `Warning: ${warned}` && entry.process === name);

      process.kill(children.find(({ server }) => server === 'core')?.pid as number, 'SIGKILL');
      await entryOf(cluster, ({ msg }) => /^core ended \(SIGKILL\), starting it again in \d+ ms$/.test(msg));
    } finally {
      await cluster.close();
    }
    entries(cluster.output());
  });

  test('writes the errors of a failed start as JSON', () => {
    const launcher = join(import.meta.dirname, '..', '..', '..', 'servers', 'launcher', 'main.ts');
    const startEntries = (...argv: string[]): Entry[] =>
      entries(
        spawnSync(process.execPath, ['--import', 'tsx', launcher, ...argv], { encoding: 'utf8', timeout: 60_000 })
          .stderr,
      );
    // The reference's words (component-base cli/run.go, logs/api/v1/options.go).
    assert.deepEqual(
      startEntries('--logging-format=json', '--log-flush-frequency=0').map(({ msg, err }) => [msg, err]),
      [['command failed', 'flushFrequency: Invalid value: "0s": Must be greater than zero']],
    );
    const [store, ...more] = startEntries('store', '--logging-format', 'json', '--data-dir', '/dev/null/store');
    assert.equal(store?.process, 'store');
    assert.match(store?.msg ?? '', /\/dev\/null\/store/);
    assert.deepEqual(more, []);
  });
});
