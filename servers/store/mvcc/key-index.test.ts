import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { KeyEntry } from './key-entry.ts';
import { KeyIndex } from './key-index.ts';

const version = (entry: KeyEntry, id: number, modRevision: number, createRevision: number): void => {
  entry.pushHistory();
  Object.assign(entry, { id, modRevision, createRevision });
};

describe('KeyIndex', () => {
  test('matches a sorted map under random insertions and removals', () => {
    const key = fc.string({ unit: fc.constantFrom('a', 'b', '/', '\xff', '\0'), maxLength: 6 });
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.boolean()), { maxLength: 400 }), key, key, (steps, start, end) => {
        const index = new KeyIndex();
        const model = new Set<string>();
        for (const [name, add] of steps) {
          if (add) {
            index.obtain(name);
            model.add(name);
          } else {
            index.remove(name);
            model.delete(name);
          }
        }
        const seen: string[] = [];
        index.forEach({ start, end }, (entry) => seen.push(entry.key));
        assert.deepEqual(seen, [...model].filter((name) => name >= start && name < end).toSorted());
        assert.equal(index.size, model.size);
        for (const name of model) assert.equal(index.get(name)?.key, name);
      }),
    );
  });

  test('keeps 5,000 keys sorted over many leaves', () => {
    const index = new KeyIndex();
    const names = Array.from({ length: 5000 }, (_, i) => String((i * 7919) % 5000).padStart(5, '0'));
    for (const name of names) index.obtain(name);
    const seen: string[] = [];
    index.forEach({ start: '', end: null }, (entry) => seen.push(entry.key));
    assert.deepEqual(seen, names.toSorted());
    let walked = 0;
    for (let slice = index.slice(''); slice.length > 0; slice = index.slice(`${slice.at(-1)?.key}\0`))
      walked += slice.length;
    assert.equal(walked, 5000);
  });

  test('returns the version of an entry at every revision', () => {
    const entry = new KeyEntry('k');
    version(entry, 1, 2, 2);
    version(entry, 2, 5, 2);
    version(entry, 3, 6, 0);
    version(entry, 4, 9, 9);
    assert.deepEqual(
      [1, 2, 4, 5, 6, 8, 9, 20].map((revision) => entry.at(revision)?.id),
      [undefined, 1, 1, 2, undefined, undefined, 4, 4],
    );
  });

  test('keeps versions that are readable at or after the compacted revision', () => {
    for (const [revision, dropped] of [
      [1, []],
      [2, []],
      [5, [1]],
      [6, [1, 2]],
      [7, [1, 2, 3]],
      [9, [1, 2, 3]],
      [12, [1, 2, 3]],
    ] as const) {
      const entry = new KeyEntry('k');
      version(entry, 1, 2, 2);
      version(entry, 2, 5, 2);
      version(entry, 3, 6, 0);
      version(entry, 4, 9, 9);
      const ids: number[] = [];
      assert.equal(entry.compact(revision, ids), true);
      assert.deepEqual(ids, dropped, String(revision));
    }
  });

  test('drops a deletion at the first compaction after it', () => {
    const entry = new KeyEntry('k');
    version(entry, 1, 2, 2);
    version(entry, 2, 3, 0);
    const ids: number[] = [];
    assert.equal(entry.compact(3, ids), true);
    assert.deepEqual(ids, [1]);
    assert.equal(entry.compact(4, ids), false);
    assert.deepEqual(ids, [1, 2]);
  });
});
