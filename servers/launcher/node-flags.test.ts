import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { missingNodeFlags, nodeFlags } from './node-flags.ts';

describe('flags of server processes', () => {
  test('are all added to a process without flags', () => {
    assert.deepEqual(missingNodeFlags([]), nodeFlags);
  });

  test('are not added twice', () => {
    assert.deepEqual(missingNodeFlags(nodeFlags), []);
  });

  test('keep the value that a user gave', () => {
    assert.deepEqual(missingNodeFlags(['--max-semi-space-size=64', '--expose-gc']), [
      '--disable-warning=ExperimentalWarning',
    ]);
  });

  test('are added beside another disabled warning', () => {
    assert.deepEqual(missingNodeFlags(['--disable-warning=DEP0040']), nodeFlags);
  });
});
