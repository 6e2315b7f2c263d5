import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WriteLimit } from './write-limit.ts';

test('WriteLimit lets each object be written six times within a minute', () => {
  let nowMs = 0;
  const limit = new WriteLimit(() => nowMs);
  const taken = (name: string, times: number): boolean[] => Array.from({ length: times }, () => limit.take(name));
  assert.deepEqual(taken('a', 7), [true, true, true, true, true, true, false]);
  assert.deepEqual(taken('b', 1), [true]);
  nowMs = 59_999;
  limit.prune();
  assert.deepEqual(taken('a', 1), [false]);
  nowMs = 60_000;
  assert.deepEqual(taken('a', 1), [true]);
});
