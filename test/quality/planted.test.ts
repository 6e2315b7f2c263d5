import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const planted = join(import.meta.dirname, 'planted');
/** Checks, and the file in which what they find is marked. */
const checks = [
  ['client-keys.ts', 'look-ups.ts'],
  ['repeat-searches.ts', 'searches.ts'],
] as const;

for (const [check, file] of checks) {
  test(`${check} finds what is planted in ${file}, lets the rest pass, and fails`, () => {
    const run = spawnSync(
      process.execPath,
      ['--import', 'tsx', join(import.meta.dirname, check), join(planted, 'tsconfig.json'), planted],
      { encoding: 'utf8' },
    );
    const found = run.stderr
      .split('\n')
      .filter((line) => line.includes(`${file}:`))
      .map((line) => Number(line.slice(line.indexOf(`${file}:`) + file.length + 1).split(':')[0]));
    const marked = readFileSync(join(planted, file), 'utf8')
      .split('\n')
      .flatMap((line, at) => (line.endsWith('// found') ? [at + 1] : []));
    assert.deepEqual(found, marked, run.stderr);
    assert.equal(run.status, 1);
  });
}
