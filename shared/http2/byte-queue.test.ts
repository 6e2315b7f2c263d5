import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { ByteQueue, type ReleaseBytes } from './byte-queue.ts';

/** Takes bytes; the text of them, and how many pieces were taken whole. */
function take(queue: ByteQueue, bytes: number): readonly [text: string, released: number] {
  const [into, releases]: [Buffer[], ReleaseBytes[]] = [[], []];
  queue.take(bytes, into, releases);
  for (const release of releases) release();
  return [Buffer.concat(into).toString(), releases.length];
}

describe('ByteQueue', () => {
  test('gives its bytes in order, and releases a piece with its last byte', () => {
    const queue = new ByteQueue();
    for (const text of ['abc', 'de', 'f']) queue.push(Buffer.from(text), () => undefined);
    assert.equal(queue.length, 6);
    assert.deepEqual(take(queue, 2), ['ab', 0]);
    assert.deepEqual(take(queue, 1), ['c', 1]);
    assert.deepEqual(take(queue, 3), ['def', 2]);
    assert.equal(queue.length, 0);
  });

  test('copies its bytes in order, and releases a piece with its last byte', () => {
    const queue = new ByteQueue();
    let released = 0;
    for (const text of ['abc', 'de', 'f']) queue.push(Buffer.from(text), () => released++);
    const into = Buffer.alloc(8, '.');
    queue.copy(2, into, 1);
    assert.deepEqual([into.toString(), released, queue.length], ['.ab.....', 0, 4]);
    queue.copy(2, into, 3);
    assert.deepEqual([into.toString(), released, queue.length], ['.abcd...', 1, 2]);
    queue.copy(2, into, 5);
    assert.deepEqual([into.toString(), released, queue.length], ['.abcdef.', 3, 0]);
  });

  test('releases an empty piece at once, and all pieces when it is cleared', () => {
    const queue = new ByteQueue();
    let released = 0;
    queue.push(Buffer.alloc(0), () => released++);
    assert.deepEqual([released, queue.length], [1, 0]);
    queue.push(Buffer.from('a'), () => released++);
    queue.push(Buffer.from('b'), () => released++);
    queue.clear();
    assert.deepEqual([released, queue.length], [3, 0]);
  });

  test('keeps the order of thousands of pieces that come and go', () => {
    const queue = new ByteQueue();
    let [pushed, taken] = ['', ''];
    const push = (text: string): void => {
      queue.push(Buffer.from(text));
      pushed += text;
    };
    for (let at = 0; at < 3_000; at++) push(`${at} `);
    for (let at = 0; at < 2_900; at++) {
      taken += take(queue, 3)[0];
      if (at % 2 === 0) push('x');
    }
    taken += take(queue, queue.length)[0];
    assert.equal(taken, pushed);
  });
});
