import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

describe('cluster in its own process', () => {
  test('leaves no memory, handles or listeners behind after close', () => {
    const script = fileURLToPath(new URL('./open-and-close.ts', import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', '--import', 'tsx', script, '3'], {
      encoding: 'utf8',
      timeout: 120_000,
    });
    assert.equal(status, 0, `${stdout}\n${stderr}`);
  });
});
