import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addInt64, durationMs, toInt64 } from './int64.ts';

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
