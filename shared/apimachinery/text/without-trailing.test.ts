import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutTrailing } from './without-trailing.ts';

test('only what stands at the end goes', () => {
  assert.equal(withoutTrailing('1.500', '0'), '1.5');
  assert.equal(withoutTrailing('000', '0'), '');
  assert.equal(withoutTrailing('/a/b', '/'), '/a/b');
  assert.equal(withoutTrailing('', '/'), '');
});
