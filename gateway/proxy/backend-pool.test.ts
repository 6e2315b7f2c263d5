import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BackendPool } from './backend-pool.ts';
import type { Backend } from './backend.ts';

function backend(
  name: string,
  state: Partial<Pick<Backend, 'usable' | 'draining' | 'doubtful' | 'weight' | 'outstanding'>> = {},
): Backend {
  return {
    address: name,
    usable: true,
    draining: false,
    doubtful: false,
    weight: 1,
    outstanding: 0,
    ...state,
  } as Backend;
}

function picked(pool: BackendPool, times: number, excluded?: Backend): (string | undefined)[] {
  return Array.from(
    { length: times },
    () => pool.pick(excluded === undefined ? undefined : new Set([excluded]))?.address,
  );
}

test('the one with the fewest requests is taken, and equals take turns', () => {
  const [a, b] = [backend('a', { outstanding: 3 }), backend('b', { outstanding: 2 })];
  assert.deepEqual(picked(new BackendPool('core', [a, b]), 3), ['b', 'b', 'b']);
  assert.deepEqual(
    new Set(picked(new BackendPool('core', [backend('a'), backend('b'), backend('c')]), 3)),
    new Set(['a', 'b', 'c']),
  );
});

test('one that is away is never taken, one that is doubtful only where there is no other', () => {
  const doubtful = backend('doubtful', { doubtful: true });
  const busy = backend('busy', { outstanding: 300 });
  assert.deepEqual(picked(new BackendPool('core', [doubtful, busy, backend('away', { usable: false })]), 3), [
    'busy',
    'busy',
    'busy',
  ]);
  assert.deepEqual(picked(new BackendPool('core', [doubtful, busy]), 2, busy), ['doubtful', 'doubtful']);
  assert.deepEqual(picked(new BackendPool('core', [backend('away', { usable: false })]), 1), [undefined]);
  assert.deepEqual(picked(new BackendPool('core'), 1), [undefined]);
});

test('one that drains is taken where all others are away', () => {
  const draining = backend('draining', { usable: false, draining: true });
  assert.deepEqual(picked(new BackendPool('core', [backend('away', { usable: false }), draining]), 2), [
    'draining',
    'draining',
  ]);
  assert.deepEqual(picked(new BackendPool('core', [backend('there', { doubtful: true }), draining]), 2), [
    'there',
    'there',
  ]);
  assert.deepEqual(picked(new BackendPool('core', [draining]), 1), ['draining']);
});

test('one that has just come gets a part of the load, and all of it when it is alone', () => {
  const [cold, warm] = [backend('cold', { weight: 0.25 }), backend('warm', { outstanding: 2 })];
  assert.deepEqual(picked(new BackendPool('core', [cold, warm]), 2), ['warm', 'warm']);
  assert.deepEqual(picked(new BackendPool('core', [cold, backend('warm', { outstanding: 4 })]), 2), ['cold', 'cold']);
  assert.deepEqual(picked(new BackendPool('core', [cold]), 2), ['cold', 'cold']);
});
