import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { FrameTransport } from '../../../shared/storage/etcd-wire/frame-transport.ts';
import { startCluster } from '../../cluster.ts';
import type { Cluster } from '../../cluster.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const readyWithinMs = 120_000;
const program = `"${process.execPath}" --import tsx "${join(root, 'servers', 'launcher', 'main.ts')}"`;

/** The indented lines of a section. */
function commandsOf(section: string): string[] {
  const text = readFileSync(join(root, 'README.md'), 'utf8').split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? '';
  return text.split('\n').filter((line) => line.startsWith('    ')).map((line) => line.trim());
}

async function keysOf(cluster: Cluster): Promise<string[]> {
  const etcd = new FrameTransport({ socketPath: join(cluster.dataDir, 'run', 'store.sock') });
  try {
    return (await etcd.unary('KV/Range', { key: Buffer.from('/registry/'), rangeEnd: Buffer.from('/registry0'), keysOnly: true })).kvs.map(({ key }) => key.toString());
  } finally {
    await etcd.close();
  }
}

test('the commands of the README save, restore, verify and repair', { timeout: 300_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'backup-'));
  const at = (name: string): string => join(folder, name);
  const commands = commandsOf('Back up and restore');
  assert.ok(commands.length >= 7);
  let running: Cluster | undefined;
  try {
    running = await startCluster({ dataDir: at('old'), readyWithinMs });
    const etcd = new FrameTransport({ socketPath: join(at('old'), 'run', 'store.sock') });
    await etcd.unary('KV/Put', { key: Buffer.from('/registry/kept'), value: Buffer.from('v') });
    await etcd.close();
    for (const command of commands) {
      if (/^npm start -- --data-dir NEW$/.test(command)) {
        await running.close();
        running = await startCluster({ dataDir: at('new'), readyWithinMs });
        assert.ok((await keysOf(running)).includes('/registry/kept'));
        continue;
      }
      const line = command.replace(/^npm start --/, program).replaceAll(/\bD\//g, `${at('old')}/`).replaceAll(/\bNEW\//g, `${at('new')}/`).replaceAll(/\bREPAIRED\//g, `${at('repaired')}/`);
      const { stdout } = await promisify(execFile)('/bin/sh', ['-c', `cd "${root}" && ${line.replaceAll('backup.db', at('backup.db'))}`]);
      if (command.includes('snapshot s')) assert.match(stdout, /backup\.db: \d+ keys at revision \d+, \d+ bytes, SHA-256 [0-9a-f]{64}\n$/);
      if (command.includes('verify')) assert.match(stdout, /nothing is damaged\n$/);
      if (command.includes('repair')) assert.match(stdout, /holds \d+ keys at revision \d+; nothing was left out\n$/);
    }
  } finally {
    await running?.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
