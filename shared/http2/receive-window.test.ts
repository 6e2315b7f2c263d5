import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ReceiveWindow } from './receive-window.ts';

describe('ReceiveWindow', () => {
  test('accepts bytes up to its size, and no byte more', () => {
    const window = new ReceiveWindow(100, () => assert.fail());
    assert.equal(window.take(101), false);
    assert.equal(window.take(60), true);
    assert.equal(window.take(41), false);
    assert.equal(window.take(40), true);
    assert.equal(window.take(0), true);
    assert.equal(window.take(1), false);
  });

  test('announces read bytes together once they are half of its size', () => {
    const announced: number[] = [];
    const window = new ReceiveWindow(100, (bytes) => announced.push(bytes));
    window.take(100);
    window.give(30);
    window.give(19);
    assert.deepEqual(announced, []);
    assert.equal(window.take(1), false);
    window.give(1);
    assert.deepEqual(announced, [50]);
    assert.equal(window.take(51), false);
    assert.equal(window.take(50), true);
    window.give(50);
    assert.deepEqual(announced, [50, 50]);
  });
});
