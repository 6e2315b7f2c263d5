import assert from 'node:assert/strict';
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, describe, test } from 'node:test';
import { startCluster } from '#test/cluster.ts';

const folder = mkdtempSync(join(tmpdir(), 'data-directory-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function openFolder(...names: readonly string[]): string {
  const path = join(folder, ...names);
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o777);
  return path;
}

describe('data directory', () => {
  test('closes its files to other users in a folder of mode 0777 and under umask 0', async () => {
    const dataDir = openFolder('open');
    openFolder('open', 'pki');
    const before = process.umask(0);
    const starting = startCluster({ dataDir });
    process.umask(before);
    const cluster = await starting;
    try {
      // Other users may look into the folder that they were shown before; whatever holds data or secret keys is closed to
      // them.
      assert.equal(lstatSync(dataDir).mode & 0o022, 0);
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

  test('prevents the start when it belongs to another user, and names the remedy', async () => {
    // Only root can give a folder away; for others there is one that everybody may write.
    const isRoot = process.geteuid?.() === 0;
    const dataDir = isRoot ? openFolder('of-nobody') : '/tmp';
    if (isRoot) chownSync(dataDir, 65_534, 65_534);
    const starting = startCluster({ dataDir }).then(async (started) => await started.close());
    await assert.rejects(
      starting,
      /has mode \d{4} and belongs to the user \d+, not to \d+: keys and data are not safe there; chown \d+ and chmod go-w it, or name another --data-dir/,
    );
    if (isRoot) assert.deepEqual(readdirSync(dataDir), []);
  });
});
