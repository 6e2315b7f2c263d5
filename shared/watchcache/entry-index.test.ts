import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { EntryIndex } from './entry-index.ts';
import type { CacheEntry } from './watch-cache.ts';

function entry(key: string, revision: number): CacheEntry {
  const empty = { json: Buffer.alloc(0), labels: undefined, fields: undefined };
  return { key, namespace: '', name: key, revision, ...empty, storedBytes: revision };
}

const step = fc.record({
  key: fc.integer({ min: 0, max: 400 }).map((n) => `/t/${n % 7}/${n}`),
  remove: fc.boolean(),
  snapshot: fc.boolean(),
});

describe('EntryIndex', () => {
  test('agrees with a sorted map in its state and in all its snapshots', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 300, maxLength: 900 }), (steps) => {
        const index = new EntryIndex();
        const model = new Map<string, number>();
        const taken: { keys: string[]; snapshot: ReturnType<EntryIndex['snapshot']> }[] = [];
        steps.forEach(({ key, remove, snapshot }, revision) => {
          const replaced = remove ? index.delete(key) : index.put(entry(key, revision));
          assert.equal(replaced?.revision, model.get(key));
          if (remove) model.delete(key);
          else model.set(key, revision);
          if (snapshot) taken.push({ keys: stateOf(model), snapshot: index.snapshot(revision) });
        });
        assert.equal(index.size, model.size);
        assert.equal(
          index.held(0).storedBytes,
          [...model.values()].reduce((sum, bytes) => sum + bytes, 0),
        );
        for (const [key, revision] of model) assert.equal(index.get(key)?.revision, revision);
        for (const { keys, snapshot } of taken) {
          assert.deepEqual(
            [...snapshot.entries('/t/')].map(({ key, revision }) => `${key}@${revision}`),
            keys,
          );
          assert.equal(snapshot.count('/t/3/'), keys.filter((key) => key.startsWith('/t/3/')).length);
          assert.equal(snapshot.size, keys.length);
        }
      }),
      { numRuns: 30 },
    );
  });

  function stateOf(model: Map<string, number>): string[] {
    return [...model].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, revision]) => `${key}@${revision}`);
  }

  test('fills its chunks when keys arrive in order', () => {
    const index = new EntryIndex();
    for (let i = 0; i < 1_000; i++) index.put(entry(`/t/${String(i).padStart(5, '0')}`, i));
    assert.ok(index.snapshot(1).chunks.length <= 8);
  });
});

describe('EntryIndex snapshot', () => {
  test('lists from a start key within a prefix', () => {
    const index = new EntryIndex();
    for (let i = 0; i < 500; i++) index.put(entry(`/t/a/${String(i).padStart(3, '0')}`, i));
    index.put(entry('/t/b/0', 1));
    const snapshot = index.snapshot(1);
    assert.equal(snapshot.count('/t/a/', '/t/a/490'), 10);
    assert.deepEqual(
      [...snapshot.entries('/t/a/', '/t/a/498')].map(({ key }) => key),
      ['/t/a/498', '/t/a/499'],
    );
  });
});
