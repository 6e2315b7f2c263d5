import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { isDeeperThan } from './json-depth.ts';
import type { JsonValue } from './json.ts';

function nested(levels: number): JsonValue {
  let value: JsonValue = 1;
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? { other: 1, a: value } : [value];
  return value;
}

describe('isDeeperThan', () => {
  test('counts nested objects and lists, but not the values in the innermost', () => {
    assert.deepEqual(
      [0, 1, 10_000].map((levels) => atOnce(isDeeperThan(nested(levels), levels))),
      [false, false, false],
    );
    assert.deepEqual(
      [1, 2, 100_000].map((levels) => atOnce(isDeeperThan(nested(levels), levels - 1))),
      [true, true, true],
    );
  });
});
