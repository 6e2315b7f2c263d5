import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pemBlocks } from './pem.ts';

const block = (body: string, type = 'A'): string => `-----BEGIN ${type}-----\n${body}-----END ${type}-----\n`;
const found = (text: string): string[] =>
  [...pemBlocks(text)].map(
    ({ type, hasHeaders, bytes }) => `${type}${hasHeaders ? ' with headers' : ''}: ${bytes.toString()}`,
  );

describe('pemBlocks', () => {
  test('finds blocks between other text', () => {
    assert.deepEqual(found(`x\n${block('YQ==\n')}y\n${block('YmI=\r\n', 'B C')}z`), ['A: a', 'B C: bb']);
    assert.deepEqual(found(block('H: v\nI: w\n\nYQ==\n')), ['A with headers: a']);
    assert.deepEqual(found(block('')), ['A: ']);
    assert.deepEqual(found(block('Y Q\t==\n').trimEnd()), ['A: a']);
  });

  test('skips malformed blocks and finds the next', () => {
    const good = block('YQ==\n');
    assert.deepEqual(found(`x${good}`), []);
    assert.deepEqual(found(block('Y*==\n') + good), ['A: a']);
    assert.deepEqual(found(`-----BEGIN B-----\n${good}`), ['A: a']);
    assert.deepEqual(found(`-----BEGIN B-----\nYQ==\n-----END C-----\n${good}`), ['A: a']);
    assert.deepEqual(found(`-----BEGIN A-----\nYQ==\n-----END A----- x\n${good}`), ['A: a']);
    assert.deepEqual(found(block('H: v\n') + good), ['A: a']);
    assert.deepEqual(found('-----BEGIN A-----\nH: v'), []);
  });
});
