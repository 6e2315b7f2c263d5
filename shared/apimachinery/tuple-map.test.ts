import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { joinedKey, TupleMap } from './tuple-map.ts';

describe('TupleMap', () => {
  test('finds an entry by exactly its texts, not by others that join to the same text', () => {
    const map = new TupleMap<number>(3);
    map.set(['a', 'b', 'c'], 1);
    map.set(['a', 'b\0c', ''], 2);
    map.set(['__proto__', 'constructor', ''], 3);
    assert.deepEqual(
      [map.get(['a', 'b', 'c']), map.get(['a', 'b\0c', '']), map.get(['__proto__', 'constructor', ''])],
      [1, 2, 3],
    );
    for (const key of [
      ['a\0b', 'c', ''],
      ['a', 'b', 'c\0'],
      ['ab', '', 'c'],
      ['', '', ''],
      ['constructor', 'name', ''],
    ])
      assert.equal(map.get(key), undefined);
    map.set(['a', 'b', 'c'], 4);
    assert.deepEqual([map.size, map.get(['a', 'b', 'c'])], [3, 4]);
    map.clear();
    assert.deepEqual([map.size, map.get(['a', 'b', 'c'])], [0, undefined]);
  });

  test('throws on a key of another length', () => {
    assert.throws(() => new TupleMap(2).set(['a'], 1), /a key of 2 texts is wanted, not of 1/);
  });
});

describe('joinedKey', () => {
  test('returns different keys for lists that differ only in where a text ends', () => {
    const lists = [
      [],
      [''],
      ['', ''],
      ['a'],
      ['a', ''],
      ['', 'a'],
      ['1:a'],
      ['a', 'b'],
      ['ab'],
      ['a1:b'],
      ['0:', '0:'],
      ['10', '1:0'],
    ];
    assert.equal(new Set(lists.map(joinedKey)).size, lists.length);
  });
});
