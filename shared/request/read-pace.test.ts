import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ReadPace } from './read-pace.ts';

const pausesOf = (pace: ReadPace, sizes: readonly number[]): number[] => sizes.map((bytes) => pace.pauseAfter(bytes));
const small = Array<number>(7).fill(4096);

describe('ReadPace', () => {
  test('lengthens the pauses of a stream of small parts, and shortens them once enough comes in each', () => {
    const pace = new ReadPace();
    assert.deepEqual(pausesOf(pace, [...small, 4096, 4096, 4096, 4096]), [0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 4]);
    assert.deepEqual(pausesOf(pace, [64 * 1024, 256 * 1024, 256 * 1024, 256 * 1024]), [4, 2, 1, 0]);
  });

  test('makes no pauses between large parts', () => {
    assert.deepEqual(new Set(pausesOf(new ReadPace(), Array<number>(50).fill(64 * 1024))), new Set([0]));
  });

  test('makes no pauses when it is reset after every few parts, as for answers', () => {
    const pace = new ReadPace();
    for (let turn = 0; turn < 100; turn++) {
      assert.deepEqual(pausesOf(pace, small), [0, 0, 0, 0, 0, 0, 0]);
      pace.reset();
    }
  });

  test('makes no pauses between parts that come one by one', (context) => {
    let nowMs = 1000;
    context.mock.method(performance, 'now', () => nowMs);
    const pace = new ReadPace();
    for (let part = 0; part < 50; part++) {
      assert.equal(pace.pauseAfter(100), 0);
      nowMs += 25;
    }
  });
});
