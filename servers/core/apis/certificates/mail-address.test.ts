import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isMailAddress } from './mail-address.ts';

describe('isMailAddress', () => {
  test('accepts RFC 5322 addresses and refuses other text', () => {
    for (const text of ['a@b', 'a.b@c.example', 'A B <a@b>', '<a@b>', '"x y"@b', 'a@[1.2.3.4]', ' a@b '])
      assert.equal(isMailAddress(text), true, text);
    for (const text of ['', 'a', '@b', 'a@', 'a b@c', 'a..b@c', 'a@b@c', `${'a '.repeat(10_000)}x`, 'a'.repeat(50_000)])
      assert.equal(isMailAddress(text), false, text.slice(0, 20));
  });
});
