import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deathCause } from './death-cause.ts';

describe('deathCause', () => {
  test('is the memory where the kernel killed a process for want of it meanwhile', () => {
    assert.match(deathCause('SIGKILL', 3, 4) ?? '', /the memory was used up: give the servers more/);
  });

  for (const [name, before, after] of [
    ['the kernel killed none', 3, 3],
    ['the kernel does not tell', undefined, undefined],
  ] as const)
    test(`of SIGKILL is unknown where ${name}`, () => {
      assert.equal(deathCause('SIGKILL', before, after), undefined);
    });

  test('names the limit behind a signal of the kernel', () => {
    assert.match(deathCause('SIGXFSZ', 0, 0) ?? '', /ulimit -f/);
    assert.match(deathCause('SIGABRT', 0, 0) ?? '', /--max-old-space-size/);
    assert.equal(deathCause('SIGTERM', 0, 0), undefined);
  });
});
