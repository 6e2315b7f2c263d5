import assert from 'node:assert/strict';
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, describe, test } from 'node:test';
import { startCluster } from '#test/cluster.ts';

const folder = mkdtempSync(join(tmpdir(), 'data-directory-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function folderOf(mode: number, ...names: readonly string[]): string {
  const path = join(folder, ...names);
  mkdirSync(path, { recursive: true });
  chmodSync(path, mode);
  return path;
}

async function startAndEnd(dataDir: string): Promise<void> {
  const started = await startCluster({ dataDir });
  await started.close();
}

describe('data directory', () => {
  test('closes its files to other users in a folder that they may read, and under umask 0', async () => {
    const dataDir = folderOf(0o755, 'open');
    folderOf(0o777, 'open', 'pki');
    const before = process.umask(0);
    const starting = startCluster({ dataDir });
    process.umask(before);
    const cluster = await starting;
    try {
      // Other users may look into the folder that they were shown before; whatever holds data or secret keys is closed to
      // them.
      assert.equal(lstatSync(dataDir).mode & 0o777, 0o755);
      const open = readdirSync(dataDir, { recursive: true, withFileTypes: true })
        .map((entry) => join(entry.parentPath, entry.name))
        .filter(
          (path) =>
            !/\.(?:crt|pub)$/.test(path) && !lstatSync(path).isSymbolicLink() && (lstatSync(path).mode & 0o077) !== 0,
        )
        .map((path) => relative(dataDir, path));
      assert.deepEqual(open, []);
      assert.ok(readdirSync(dataDir).length > 2);
    } finally {
      await cluster.close();
    }
  });

  test('prevents the start when every user may write it, and keeps its mode', async () => {
    const dataDir = folderOf(0o1777, 'like-tmp');
    await assert.rejects(
      startAndEnd(dataDir),
      /may be written by every user \(mode 1777\): keys and data are not safe there; name a new folder, such as --data-dir /,
    );
    assert.deepEqual([lstatSync(dataDir).mode & 0o7777, readdirSync(dataDir)], [0o1777, []]);
  });

  test('prevents the start when it belongs to another user, and names the remedy', async () => {
    // Only root can give a folder away; for others there is one that everybody may write.
    const isRoot = process.geteuid?.() === 0;
    const dataDir = isRoot ? folderOf(0o755, 'of-nobody') : '/tmp';
    if (isRoot) chownSync(dataDir, 65_534, 65_534);
    await assert.rejects(
      startAndEnd(dataDir),
      /has mode \d{4} and belongs to the user \d+, not to \d+: keys and data are not safe there; chown \d+ and chmod go-w it, or name another --data-dir/,
    );
    if (isRoot) assert.deepEqual(readdirSync(dataDir), []);
  });
});
