import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PresentKeys } from './present-keys.ts';

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `k${index}`);

for (const count of [2, 1_000]) {
  test(`of ${count} keys, those that an object has are told in the order of the list`, () => {
    const keys = new PresentKeys(['__proto__', ...names(count), 'toString'].toReversed());
    assert.deepEqual(keys.in({}), []);
    assert.deepEqual(keys.in({ k0: 1, other: 2, k1: null }), ['k1', 'k0']);
    assert.deepEqual(keys.in(JSON.parse('{"k1":1,"__proto__":2}')), ['k1', '__proto__']);
  });
}
