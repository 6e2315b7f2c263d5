import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const planted = join(import.meta.dirname, 'planted');

test('the check of searches for each item finds each planted one, lets the others pass, and fails', () => {
  const run = spawnSync(
    process.execPath,
    ['--import', 'tsx', join(import.meta.dirname, 'repeat-searches.ts'), join(planted, 'tsconfig.json'), planted],
    { encoding: 'utf8' },
  );
  const found = [...run.stderr.matchAll(/searches\.ts:(\d+): /g)].map((match) => Number(match[1]));
  const marked = readFileSync(join(planted, 'searches.ts'), 'utf8')
    .split('\n')
    .flatMap((line, at) => (line.endsWith('// found') ? [at + 1] : []));
  assert.deepEqual(found, marked, run.stderr);
  assert.equal(run.status, 1);
});
