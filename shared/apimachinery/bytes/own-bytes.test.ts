import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ownBytes } from './own-bytes.ts';

describe('ownBytes', () => {
  test('copies what is a part of a larger memory, as small buffers are', () => {
    const small = Buffer.from('a pod');
    assert.ok(small.buffer.byteLength > small.length);
    const own = ownBytes(small);
    assert.deepEqual([own.toString(), own.buffer.byteLength], ['a pod', small.length]);
  });

  test('returns a buffer that has its memory for itself as it is, and a plain array as a buffer', () => {
    const own = Buffer.allocUnsafeSlow(100);
    assert.equal(ownBytes(own), own);
    assert.ok(Buffer.isBuffer(ownBytes(new Uint8Array(100))));
  });
});
