import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { parseJson } from './parse.ts';

describe('parseJson', () => {
  test('rejects a truncated text of thousands of open brackets, repeatedly', () => {
    for (const end of ['1.5', '{}', '"x"', '']) {
      const text = Buffer.from('[1,'.repeat(9_000) + end);
      for (let count = 0; count < 20; count++)
        assert.throws(() => atOnce(parseJson(text)), {
          name: 'JsonSyntaxError',
          message: 'unexpected end of JSON input',
        });
    }
  });

  test('reads a whole document nested 9,000 deep', () => {
    const depth = 9_000;
    let value = atOnce(parseJson(Buffer.from('['.repeat(depth) + ']'.repeat(depth))));
    let seen = 0;
    for (; Array.isArray(value); value = value[0] ?? null) seen++;
    assert.equal(seen, depth);
  });

  test('does not count brackets in strings as nesting', () => {
    assert.deepEqual(atOnce(parseJson(Buffer.from(`{"a":"${'['.repeat(500)}"}`))), { a: '['.repeat(500) });
  });

  test('reads a lone surrogate as U+FFFD, in keys and values', () => {
    const text = String.raw`{"\udcfc":["\ud800","\ud83d\ude00","\ude00\ud83d","\\ud800"]}`;
    assert.deepEqual(atOnce(parseJson(Buffer.from(text))), {
      '\ufffd': ['\ufffd', '😀', '\ufffd\ufffd', String.raw`\ud800`],
    });
  });
});
