import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shortKey } from './short-key.ts';

describe('shortKey', () => {
  test('is bounded for texts of any length, and differs where they differ', () => {
    const texts = ['', 'a', '#', 'a'.repeat(128), 'a'.repeat(129), `${'a'.repeat(128)}b`, 'é'.repeat(1_000_000)];
    const keys = [...texts, ...texts.map(shortKey)].map(shortKey);
    assert.equal(new Set(keys).size, keys.length);
    assert.ok(keys.every((key) => key.length <= 129));
  });
});
