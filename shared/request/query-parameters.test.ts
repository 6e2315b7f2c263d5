import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bytesOfText } from '#shared/apimachinery/text/byte-text.ts';
import { readQuery } from './query-parameters.ts';

describe('readQuery', () => {
  test('decodes escapes and plus signs, and keeps all values of a key', () => {
    const query = readQuery('a=1&b=x+y%20z&a=2&c&%61=3');
    assert.deepEqual(query.getAll('a'), ['1', '2', '3']);
    assert.equal(query.get('b'), 'x y z');
    assert.equal(query.get('c'), '');
    assert.equal(query.get('d'), null);
    assert.equal(query.has('c'), true);
    assert.equal(query.size, 5);
  });

  test('ignores pairs with a semicolon or a broken escape, and no question mark', () => {
    const query = readQuery('a=1;2&b=%zz&?c=3&d=4');
    assert.equal(query.size, 2);
    assert.equal(query.get('?c'), '3');
  });

  test('reads bytes beyond ASCII as UTF-8, escaped or not, and keeps those that are none', () => {
    const query = readQuery('a=j%C3%BC&b=j\xc3\xbc&c=%E2%82&d=%ff');
    assert.equal(query.get('a'), 'jü');
    assert.equal(query.get('b'), 'jü');
    assert.equal(bytesOfText(query.get('c') ?? ''), '\xe2\x82');
    assert.notEqual(query.get('d'), '\ufffd');
  });
});
