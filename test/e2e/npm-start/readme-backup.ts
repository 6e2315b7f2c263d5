import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { FrameTransport } from '#shared/storage/etcd-wire/frame-transport.ts';
import { http1Client } from '#test/api-client.ts';
import { startCluster } from '#test/cluster.ts';
import type { Cluster } from '#test/cluster.ts';
import { startEtcdCluster } from '#test/etcd-cluster.ts';
import { referenceProgram } from '#test/reference.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const readyWithinMs = 120_000;
const launcher = `"${process.execPath}" --import tsx "${join(root, 'servers', 'launcher', 'main.ts')}"`;

/** The indented lines of a section. */
function commandsOf(section: string): string[] {
  const text =
    readFileSync(join(root, 'README.md'), 'utf8')
      .split(/^## /m)
      .find((part) => part.startsWith(`${section}\n`)) ?? '';
  return text
    .split('\n')
    .filter((line) => line.startsWith('    '))
    .map((line) => line.trim());
}

async function keysOf(cluster: Cluster): Promise<string[]> {
  const etcd = new FrameTransport({ socketPath: join(cluster.dataDir, 'run', 'store.sock') });
  try {
    return (
      await etcd.unary('KV/Range', {
        key: Buffer.from('/registry/'),
        rangeEnd: Buffer.from('/registry0'),
        keysOnly: true,
      })
    ).kvs.map(({ key }) => key.toString());
  } finally {
    await etcd.close();
  }
}

/** What a command has to print. */
const outputs: readonly (readonly [RegExp, RegExp])[] = [
  [/snapshot s(?:ave|tatus)/, /backup\.db: \d+ keys at revision \d+, \d+ bytes, SHA-256 [0-9a-f]{64}\n$/],
  [/snapshot restore/, /is restored, at revision 1\d{9}\n$/],
  [/verify/, /nothing is damaged\n$/],
  [/repair/, /holds \d+ keys at revision \d+; nothing was left out\n$/],
  [/compact/, /is compacted at revision \d+: \d+ bytes before, \d+ after\n$/],
  [/defragment/, /is rewritten: \d+ bytes before, \d+ after\n$/],
  [/alarm/, /has no alarm\n$/],
  [/copy/, /: SHA-256 [0-9a-f]{64}; both sides are equal\n$/],
];

test(
  'the commands of the README save, restore, verify, repair, and move to etcd and back',
  { timeout: 900_000 },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'backup-'));
    const at = (name: string): string => join(folder, name);
    const commands = commandsOf('Back up, restore, move to etcd');
    assert.ok(commands.length >= 13);
    const program = referenceProgram('etcd');
    const etcd = program === undefined ? undefined : await startEtcdCluster(program, at('etcd'));
    const flagsOf = (command: string): string[] =>
      command
        .replace('http://127.0.0.1:2379', etcd?.endpoints ?? '')
        .replace('SNAPSHOTS', at('snapshots'))
        .replace(/^npm start -- --data-dir \w+ ?/, '')
        .split(' ')
        .filter((word) => word !== '');
    let running: Cluster | undefined;
    try {
      running = await startCluster({ dataDir: at('old'), readyWithinMs });
      const store = new FrameTransport({ socketPath: join(at('old'), 'run', 'store.sock') });
      await store.unary('KV/Put', { key: Buffer.from('/registry/kept'), value: Buffer.from('v') });
      await store.close();
      for (const command of commands) {
        if (command.includes('--etcd-servers') && etcd === undefined) {
          t.diagnostic(`LEFT OUT: ${command}: no etcd at $REFERENCE_BIN`);
          continue;
        }
        const start = /^npm start -- --data-dir (D|NEW)\b/.exec(command);
        if (start !== null || command.includes('store copy --data-dir')) {
          await running?.close();
          running = undefined;
        }
        if (start !== null) {
          const dataDir = at(start[1] === 'D' ? 'old' : 'new');
          running = await startCluster({ dataDir, flags: flagsOf(command), readyWithinMs });
          const { status, text } = await http1Client(running).send('GET', '/api/v1/namespaces/kube-system');
          assert.equal(status, 200, text);
          if (!command.includes('--etcd-servers')) assert.ok((await keysOf(running)).includes('/registry/kept'));
          continue;
        }
        const line = command
          .replace(/^npm start --/, launcher)
          .replaceAll(/\bD\//g, `${at('old')}/`)
          .replaceAll(/\bNEW\//g, `${at('new')}/`)
          .replaceAll(/\bREPAIRED\//g, `${at('repaired')}/`)
          .replaceAll(/\bBACK\//g, `${at('back')}/`)
          .replace('http://127.0.0.1:2379', etcd?.endpoints ?? '');
        const { stdout } = await promisify(execFile)('/bin/sh', [
          '-c',
          `cd "${root}" && ${line.replaceAll('backup.db', at('backup.db'))}`,
        ]);
        for (const [asked, output] of outputs) if (asked.test(command)) assert.match(stdout, output, command);
      }
    } finally {
      await running?.close();
      await etcd?.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
