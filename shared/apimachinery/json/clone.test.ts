import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cloneJson } from './clone.ts';
import type { JsonObject } from './json.ts';

describe('cloneJson', () => {
  test('copies __proto__ as an ordinary key', () => {
    const source = JSON.parse('{"__proto__":{"x":[1]}}') as JsonObject;
    const copy = cloneJson(source);
    assert.equal(JSON.stringify(copy), '{"__proto__":{"x":[1]}}');
    assert.equal(Object.getPrototypeOf(copy), Object.prototype);
  });
});
