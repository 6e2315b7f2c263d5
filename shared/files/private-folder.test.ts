import assert from 'node:assert/strict';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, after, test } from 'node:test';
import { ensurePrivateFolder } from './private-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'private-folder-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('ensurePrivateFolder', () => {
  test('makes a folder and its parents with mode 0700, and takes all access of others from an existing one', () => {
    const fresh = join(folder, 'a', 'b');
    ensurePrivateFolder(fresh);
    assert.deepEqual([modeOf(fresh), modeOf(join(folder, 'a'))], [0o700, 0o700]);
    for (const mode of [0o777, 0o755, 0o770, 0o700]) {
      chmodSync(fresh, mode);
      ensurePrivateFolder(fresh);
      assert.equal(modeOf(fresh), 0o700);
    }
  });

  test('rejects a folder of another user and names the remedy', () => {
    // Only root can give a folder away; for others there is one that everybody may write.
    const isRoot = process.geteuid?.() === 0;
    const path = isRoot ? join(folder, 'of-nobody') : '/tmp';
    if (isRoot) {
      mkdirSync(path);
      chownSync(path, 65_534, 65_534);
    }
    assert.throws(
      () => ensurePrivateFolder(path),
      /has mode 0\d{3} and belongs to the user \d+, not to \d+.*chown \d+/,
    );
  });

  test('rejects a link that leads nowhere and makes nothing', () => {
    const link = join(folder, 'link');
    symlinkSync(join(folder, 'nowhere'), link);
    for (const path of [link, join(link, 'below')])
      assert.throws(
        () => ensurePrivateFolder(path),
        /link is a link to something that does not exist: remove it, or make its target/,
      );
    assert.ok(!existsSync(join(folder, 'nowhere')));
  });

  test('rejects a folder of /proc at once', () => {
    assert.throws(
      () => ensurePrivateFolder('/proc/quarterdeck/data'),
      /\/proc\/quarterdeck (cannot be made|may not be)/,
    );
  });
});
