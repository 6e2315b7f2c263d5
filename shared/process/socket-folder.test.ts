import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { socketFolder } from './socket-folder.ts';

describe('socketFolder', () => {
  let folder: string;
  const before = process.env['TMPDIR'];
  const longOne = (): string => join(folder, 'x'.repeat(100));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sockets-'));
  });
  afterEach(() => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(folder, { recursive: true, force: true });
  });

  test('is the folder run of the data directory', async () => {
    assert.equal(await socketFolder(folder), join(folder, 'run'));
    assert.equal(statSync(join(folder, 'run')).mode & 0o777, 0o700);
  });

  for (const [name, temporary] of [
    ['usual', () => undefined],
    ['missing', () => '/nonexistent'],
    ['too long', () => longOne()],
  ] as const)
    test(`is a private folder of temporary files for a long path, with a TMPDIR that is ${name}`, async () => {
      mkdirSync(longOne());
      const value = temporary();
      if (value !== undefined) process.env['TMPDIR'] = value;
      const found = await socketFolder(longOne());
      try {
        assert.ok(!found.startsWith(folder), found);
        assert.equal(statSync(found).mode & 0o777, 0o700);
        assert.equal(await socketFolder(longOne()), found, 'the same for all processes');
        assert.notEqual(await socketFolder(dirname(longOne())), found);
      } finally {
        rmSync(found, { recursive: true });
      }
    });
});
