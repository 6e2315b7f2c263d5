import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DynamicTable } from './dynamic-table.ts';

interface Entry {
  readonly name: string;
  readonly size: number;
}

const entry = (name: string, size: number): Entry => ({ name, size });
const names = (table: DynamicTable<Entry>): (string | undefined)[] =>
  Array.from({ length: table.count }, (_, at) => table.at(at)?.name);

// RFC 7541 section 4.
describe('HPACK dynamic table', () => {
  test('keeps entries that fill its capacity, newest first, and evicts the oldest for one byte more', () => {
    const left: string[] = [];
    const table = new DynamicTable<Entry>(100, ({ name }) => left.push(name));
    table.add(entry('a', 40));
    table.add(entry('b', 60));
    assert.deepEqual([names(table), left], [['b', 'a'], []]);
    table.add(entry('c', 1));
    assert.deepEqual([names(table), left], [['c', 'b'], ['a']]);
    assert.equal(table.at(2), undefined);
  });

  test('evicts as many entries as a smaller capacity demands', () => {
    const table = new DynamicTable<Entry>(100);
    for (const name of ['a', 'b', 'c']) table.add(entry(name, 30));
    table.setCapacity(60);
    assert.deepEqual(names(table), ['c', 'b']);
    table.setCapacity(59);
    assert.deepEqual(names(table), ['c']);
    table.setCapacity(0);
    assert.deepEqual([names(table), table.capacity, table.added], [[], 0, 3]);
  });

  test('keeps an entry of its capacity, and is emptied by a larger one without keeping it', () => {
    const table = new DynamicTable<Entry>(100);
    assert.equal(table.add(entry('a', 100)), true);
    assert.equal(table.add(entry('b', 101)), false);
    assert.deepEqual(names(table), []);
  });

  test('keeps the order of its entries while it grows and wraps around', () => {
    const table = new DynamicTable<Entry>(40);
    for (let at = 0; at < 1_000; at++) table.add(entry(String(at), 1));
    assert.deepEqual(
      names(table),
      Array.from({ length: 40 }, (_, at) => String(999 - at)),
    );
  });
});
