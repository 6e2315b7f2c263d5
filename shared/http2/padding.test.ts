import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { AbruptEnd } from './frames.ts';
import { withoutPadding } from './padding.ts';

const padded = 8;

describe('withoutPadding, RFC 9113 section 6.1', () => {
  test('returns a payload without the PADDED flag unchanged', () => {
    assert.deepEqual(withoutPadding(0, Buffer.from([5, 6])), Buffer.from([5, 6]));
    assert.deepEqual(withoutPadding(0, Buffer.alloc(0)), Buffer.alloc(0));
  });

  test('removes the pad length and the padding, up to a payload of padding only', () => {
    assert.deepEqual(withoutPadding(padded, Buffer.from([0, 7])), Buffer.from([7]));
    assert.deepEqual(withoutPadding(padded, Buffer.from([2, 7, 0, 0])), Buffer.from([7]));
    assert.deepEqual(withoutPadding(padded, Buffer.from([2, 0, 0])), Buffer.alloc(0));
  });

  test('returns undefined for padding as long as the payload', () => {
    assert.equal(withoutPadding(padded, Buffer.from([3, 0, 0])), undefined);
    assert.equal(withoutPadding(padded, Buffer.from([255, 0, 0])), undefined);
  });

  test('throws AbruptEnd without a pad length', () => {
    assert.throws(() => withoutPadding(padded, Buffer.alloc(0)), AbruptEnd);
  });
});
