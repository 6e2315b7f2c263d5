import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { projectRoot } from './source-files.ts';

interface LockedPackage {
  readonly dev?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

/** Tools of libraries that the servers use. */
const ofLibraries = ['proto-loader-gen-types'];

describe('installed package', () => {
  test('brings no node and no program that only a build needs', () => {
    const installed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);
    const programs = new Set(installed.flatMap(([, { bin }]) => Object.keys(bin ?? {})));
    assert.deepEqual([...programs].toSorted(), ofLibraries);
    assert.deepEqual(Object.keys(packages['']?.bin ?? {}), ['quarterdeck']);
  });
});
