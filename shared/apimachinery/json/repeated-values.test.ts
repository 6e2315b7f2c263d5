import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { skipValue } from './json-bytes.ts';
import { RepeatedValues } from './repeated-values.ts';

const fields = (names: readonly string[]): string =>
  JSON.stringify(Object.fromEntries(names.map((name) => [`f:${name}`, { '.': {}, 'k:{"name":"}]"}': ['\\"', name] }])));
const many = Array.from({ length: 40 }, (_, at) => `field${at}`);

describe('RepeatedValues', () => {
  test('finds the end of a value, whatever values stood at the same place before', () => {
    const values = [
      fields(many),
      fields(many),
      fields(many.slice(0, -1)),
      fields([...many, 'z']),
      fields([...many.slice(0, -1), 'other']),
      '{}',
      '[]',
      '"text"',
      '12',
      '123',
      'null',
      fields(many),
      JSON.stringify({ a: 'x'.repeat(20_000) }),
      fields(many),
      fields(Array.from({ length: 4000 }, (_, at) => `f${at}`)),
      fields(many),
    ];
    const alike = new RepeatedValues();
    for (let round = 0; round < 3; round++) {
      for (const [at, text] of values.entries()) {
        for (const after of ['}', ',"a":1}', ']']) {
          const json = Buffer.from(`{"x":${text}${after}`);
          for (const ordinal of [0, at % 6, 9]) {
            assert.equal(alike.end(json, 5, ordinal), 5 + Buffer.byteLength(text), text.slice(0, 100));
            assert.equal(skipValue(json, 5), 5 + Buffer.byteLength(text), text.slice(0, 100));
          }
        }
      }
    }
  });

  test('stops at the end of a truncated text', () => {
    const alike = new RepeatedValues();
    const json = Buffer.from(fields(many));
    alike.end(json, 0, 0);
    assert.equal(alike.end(json.subarray(0, 200), 0, 0), 200);
  });
});
