import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addInt64, durationMs, isInt64, toInt64, truncateToInt64 } from './int64.ts';

describe('addInt64', () => {
  // The sums that Go's int64 has.
  for (const [a, b, sum] of [
    [1, 2, 3],
    [9_007_199_254_740_991, 1, 9_007_199_254_740_992n],
    [9_007_199_254_740_992n, -1, 9_007_199_254_740_991],
    [9_223_372_036_854_775_807n, 1, -9_223_372_036_854_775_808n],
    [-9_223_372_036_854_775_808n, -1, 9_223_372_036_854_775_807n],
    [9_223_372_036_854_775_807n, -9_223_372_036_854_775_807n, 0],
  ] as const)
    test(`gives ${sum} for ${a} and ${b}`, () => assert.equal(addInt64(a, b), sum));
});

describe('toInt64', () => {
  test('is a number up to 2^53 - 1, and wraps around beyond 64 bits', () => {
    assert.equal(toInt64(9_007_199_254_740_991n), 9_007_199_254_740_991);
    assert.equal(toInt64(9_007_199_254_740_993n), 9_007_199_254_740_993n);
    assert.equal(toInt64(2n ** 64n + 5n), 5);
  });
});

describe('durationMs', () => {
  test('counts up to 292 years, and wraps around as an int64 of nanoseconds does', () => {
    assert.equal(durationMs(30), 30_000);
    assert.equal(durationMs(-9_223_372_036), -9_223_372_036_000);
    assert.equal(durationMs(9_223_372_037), -9_223_372_036_709);
    assert.equal(durationMs(9_223_372_036_854_775_807n), -1000);
  });
});

describe('truncateToInt64', () => {
  // As amd64 converts.
  for (const [value, whole] of [
    [1.9, 1],
    [-1.9, -1],
    [-0.5, 0],
    [1e20, -9_223_372_036_854_775_808n],
    [-1e20, -9_223_372_036_854_775_808n],
    [9_223_372_036_854_775_807n, 9_223_372_036_854_775_807n],
    [18_446_744_073_709_551_616n, -9_223_372_036_854_775_808n],
  ] as const)
    test(`gives ${whole} for ${value}`, () => assert.ok(Object.is(truncateToInt64(value), whole)));
});

describe('isInt64', () => {
  test('is true for integers of up to 64 bits with their sign', () =>
    assert.deepEqual([2n ** 63n - 1n, 2n ** 63n, 1e18, 1e19, 0.5].map(isInt64), [true, false, true, false, false]));
});
