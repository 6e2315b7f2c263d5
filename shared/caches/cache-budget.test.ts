import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { budgetedCache } from './budgeted-cache.ts';
import { CacheBudget, processCaches, type CacheName } from './cache-budget.ts';

const names: readonly CacheName[] = [
  'alike_messages',
  'compressed_runs',
  'expressions',
  'field_sets',
  'forms',
  'patterns',
  'protobuf_runs',
  'rules',
  'table_rows',
  'watch_frames',
];

describe('CacheBudget', () => {
  test('sums up caches of one name until they end', () => {
    const budget = new CacheBudget(Object.fromEntries(names.map((name) => [name, 10])) as Record<CacheName, number>);
    const end = budget.register('rules', () => 3);
    budget.register('rules', () => 4);
    budget.register('forms', () => 1);
    assert.deepEqual(
      [...budget.held()],
      [
        [['rules'], 7],
        [['forms'], 1],
      ],
    );
    assert.deepEqual(
      [...budget.limits()],
      [
        [['rules'], 20],
        [['forms'], 10],
      ],
    );
    end();
    assert.deepEqual([...budget.held()][0], [['rules'], 4]);
    assert.deepEqual([...budget.limits()][0], [['rules'], 10]);
  });
});

describe('budgetedCache', () => {
  test('drops the oldest entries beyond its share and reports the bytes it holds', () => {
    const share = processCaches.share('field_sets');
    const cache = budgetedCache<string, object>('field_sets', () => share / 2 - 1);
    for (const key of ['a', 'b', 'c']) cache.set(key, {});
    assert.deepEqual([...cache.keys()].toSorted(), ['b', 'c']);
    assert.deepEqual([...processCaches.held()], [[['field_sets'], share - 2]]);
    assert.deepEqual([...processCaches.limits()], [[['field_sets'], share]]);
  });
});

describe('processCaches', () => {
  test('limits all caches of a process to 273 MiB together', () => {
    const all = names.reduce((sum, name) => sum + processCaches.share(name), 0);
    assert.equal(all, 273 * 1024 * 1024);
  });
});
