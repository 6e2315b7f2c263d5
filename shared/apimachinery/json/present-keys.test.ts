import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PresentKeys } from './present-keys.ts';

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `k${index}`);

describe('PresentKeys', () => {
  for (const count of [2, 1_000]) {
    test(`returns the keys that an object has in the order of the list (${count} keys)`, () => {
      const keys = new PresentKeys(['__proto__', ...names(count), 'toString'].toReversed());
      assert.deepEqual(keys.in({}), []);
      assert.deepEqual(keys.in({ k0: 1, other: 2, k1: null }), ['k1', 'k0']);
      assert.deepEqual(keys.in(JSON.parse('{"k1":1,"__proto__":2}')), ['k1', '__proto__']);
    });
  }
});
