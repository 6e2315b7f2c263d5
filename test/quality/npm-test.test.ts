import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ownProcesses } from '#test/units/import-tests.ts';
import { projectRoot } from './source-files.ts';

describe('npm test', () => {
  test('names every folder of unit tests that test/units leaves out', () => {
    const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    for (const folder of ownProcesses) assert.ok(scripts['test']?.includes(`'${folder}/**/*.test.ts'`), folder);
  });
});
