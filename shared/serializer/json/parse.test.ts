import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from './parse.ts';

test('a text of thousands of open brackets that breaks off is refused, time and again', () => {
  for (const end of ['1.5', '{}', '"x"', '']) {
    const text = Buffer.from('[1,'.repeat(9_000) + end);
    for (let count = 0; count < 20; count++)
      assert.throws(() => parseJson(text), { name: 'JsonSyntaxError', message: 'unexpected end of JSON input' });
  }
});

test('what is nested deep and whole is read', () => {
  const depth = 9_000;
  let value = parseJson(Buffer.from('['.repeat(depth) + ']'.repeat(depth)));
  let seen = 0;
  for (; Array.isArray(value); value = value[0] ?? null) seen++;
  assert.equal(seen, depth);
});

test('brackets in strings are no nesting', () => {
  assert.deepEqual(parseJson(Buffer.from(`{"a":"${'['.repeat(500)}"}`)), { a: '['.repeat(500) });
});
