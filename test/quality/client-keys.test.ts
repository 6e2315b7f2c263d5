import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const planted = join(import.meta.dirname, 'planted');

test('the check of client-chosen keys finds each planted look-up, lets the others pass, and fails', () => {
  const run = spawnSync(
    process.execPath,
    ['--import', 'tsx', join(import.meta.dirname, 'client-keys.ts'), join(planted, 'tsconfig.json'), planted],
    { encoding: 'utf8' },
  );
  const found = [...run.stderr.matchAll(/look-ups\.ts:(\d+): /g)].map((match) => Number(match[1]));
  const marked = readFileSync(join(planted, 'look-ups.ts'), 'utf8')
    .split('\n')
    .flatMap((line, at) => (line.endsWith('// found') ? [at + 1] : []));
  assert.deepEqual(found, marked, run.stderr);
  assert.equal(run.status, 1);
});
