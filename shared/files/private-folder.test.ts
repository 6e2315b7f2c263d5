import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, after, test } from 'node:test';
import { ensurePrivateFolder } from './private-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'private-folder-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function folderOf(name: string, mode: number): string {
  const path = join(folder, name);
  mkdirSync(path);
  chmodSync(path, mode);
  return path;
}

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('ensurePrivateFolder', () => {
  test('creates a folder with mode 0700, and removes write access of others from an existing one', () => {
    const fresh = join(folder, 'a', 'b');
    ensurePrivateFolder(fresh, false);
    assert.equal(modeOf(fresh), 0o700);
    for (const [mode, open, secret] of [
      [0o777, 0o755, 0o700],
      [0o755, 0o755, 0o700],
      [0o770, 0o750, 0o700],
      [0o700, 0o700, 0o700],
    ] as const) {
      for (const [isSecret, wanted] of [
        [false, open],
        [true, secret],
      ] as const) {
        const path = folderOf(`${mode.toString(8)}-${isSecret}`, mode);
        ensurePrivateFolder(path, isSecret);
        assert.equal(modeOf(path), wanted);
      }
    }
  });

  test('rejects a folder of another user and names the remedy', () => {
    // Only root can give a folder away; for others there is one that everybody may write.
    const isRoot = process.geteuid?.() === 0;
    const path = isRoot ? folderOf('of-nobody', 0o755) : '/tmp';
    if (isRoot) chownSync(path, 65_534, 65_534);
    assert.throws(
      () => ensurePrivateFolder(path, false),
      /has mode 0\d{3} and belongs to the user \d+, not to \d+.*chown \d+/,
    );
  });
});
