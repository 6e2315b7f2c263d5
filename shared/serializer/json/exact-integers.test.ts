import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExactIntegers } from './exact-integers.ts';

test('integers that a number does not hold are read exactly, in every place', () => {
  assert.deepEqual(
    parseExactIntegers('[9007199254740993,-9223372036854775808,18446744073709551615,1234567890123456]'),
    [9007199254740993n, -9223372036854775808n, 18446744073709551615n, 1234567890123456],
  );
  assert.equal(parseExactIntegers('9223372036854775807'), 9223372036854775807n);
  assert.deepEqual(parseExactIntegers('{"a":{"b":[{"c": 9007199254740993 }]}}'), {
    a: { b: [{ c: 9007199254740993n }] },
  });
});

test('beyond 64 bits, and with a point or an exponent, it is a floating point number', () => {
  assert.deepEqual(parseExactIntegers('[18446744073709551616,9007199254740993.0,9007199254740993e0,1e999]'), [
    18446744073709551616,
    9007199254740992,
    9007199254740992,
    Infinity,
  ]);
});

test('digits in strings and keys stay what they are', () => {
  const text = '{"9007199254740993":"9007199254740993","a\\"":"\\\\","b":"\\"9007199254740993"}';
  assert.deepEqual(parseExactIntegers(text), JSON.parse(text));
});

test('a key __proto__ is a key', () => {
  const value = parseExactIntegers('{"__proto__":9007199254740993}') as Record<string, unknown>;
  assert.deepEqual(Object.entries(value), [['__proto__', 9007199254740993n]]);
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
});
