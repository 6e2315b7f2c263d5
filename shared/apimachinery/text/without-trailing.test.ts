import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withoutTrailing } from './without-trailing.ts';

describe('withoutTrailing', () => {
  test('removes the character at the end of the text only', () => {
    assert.equal(withoutTrailing('1.500', '0'), '1.5');
    assert.equal(withoutTrailing('000', '0'), '');
    assert.equal(withoutTrailing('/a/b', '/'), '/a/b');
    assert.equal(withoutTrailing('', '/'), '');
  });
});
