import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
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

describe('BackendPool', () => {
  test('picks the backend with the fewest outstanding requests, and equally loaded backends in turn', () => {
    const [a, b] = [backend('a', { outstanding: 3 }), backend('b', { outstanding: 2 })];
    assert.deepEqual(picked(new BackendPool('core', [a, b]), 3), ['b', 'b', 'b']);
    assert.deepEqual(
      new Set(picked(new BackendPool('core', [backend('a'), backend('b'), backend('c')]), 3)),
      new Set(['a', 'b', 'c']),
    );
  });

  test('never picks an unusable backend, and a doubtful backend only when no other is left', () => {
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

  test('picks a draining backend only when all others are unusable', () => {
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

  test('gives a backend of low weight a smaller share, and all requests when it is alone', () => {
    const [cold, warm] = [backend('cold', { weight: 0.25 }), backend('warm', { outstanding: 2 })];
    assert.deepEqual(picked(new BackendPool('core', [cold, warm]), 2), ['warm', 'warm']);
    assert.deepEqual(picked(new BackendPool('core', [cold, backend('warm', { outstanding: 4 })]), 2), ['cold', 'cold']);
    assert.deepEqual(picked(new BackendPool('core', [cold]), 2), ['cold', 'cold']);
  });
});
