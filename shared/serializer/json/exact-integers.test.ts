import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseExactIntegers } from './exact-integers.ts';

describe('parseExactIntegers', () => {
  test('reads integers beyond 2^53 as bigint, at any depth', () => {
    assert.deepEqual(
      parseExactIntegers('[9007199254740993,-9223372036854775808,18446744073709551615,1234567890123456]'),
      [9007199254740993n, -9223372036854775808n, 18446744073709551615n, 1234567890123456],
    );
    assert.equal(parseExactIntegers('9223372036854775807'), 9223372036854775807n);
    assert.deepEqual(parseExactIntegers('{"a":{"b":[{"c": 9007199254740993 }]}}'), {
      a: { b: [{ c: 9007199254740993n }] },
    });
  });

  test('reads integers beyond 64 bits, and numbers with a point or an exponent, as floats', () => {
    assert.deepEqual(parseExactIntegers('[18446744073709551616,9007199254740993.0,9007199254740993e0,1e999]'), [
      18446744073709551616,
      9007199254740992,
      9007199254740992,
      Infinity,
    ]);
  });

  test('leaves digits in strings and keys alone', () => {
    const text = '{"9007199254740993":"9007199254740993","a\\"":"\\\\","b":"\\"9007199254740993"}';
    assert.deepEqual(parseExactIntegers(text), JSON.parse(text));
  });

  test('keeps __proto__ as an ordinary key', () => {
    const value = parseExactIntegers('{"__proto__":9007199254740993}') as Record<string, unknown>;
    assert.deepEqual(Object.entries(value), [['__proto__', 9007199254740993n]]);
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
  });
});
