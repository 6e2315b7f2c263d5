import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { changedPaths } from './changed-paths.ts';
import type { JsonValue } from './json.ts';

function paths(before: JsonValue, after: JsonValue, most = 10): string[] {
  return atOnce(changedPaths(before, after, most));
}

describe('changedPaths', () => {
  test('tells fields that were added, removed and changed, in their order', () => {
    const before = { spec: { a: 1, b: [1, { c: 'x' }] }, metadata: { name: 'n' } };
    const after = { spec: { a: 2, b: [1, { c: 'y' }, null] }, metadata: { name: 'n', labels: {} } };
    assert.deepEqual(paths(before, after), ['/spec/a', '/spec/b/1/c', '/spec/b/2', '/metadata/labels']);
    assert.deepEqual(paths(after, before), ['/spec/a', '/spec/b/1/c', '/spec/b/2', '/metadata/labels']);
  });

  test('tells nothing of equal values, and the whole of values of different types', () => {
    assert.deepEqual(paths({ a: [{}] }, { a: [{}] }), []);
    assert.deepEqual(paths({ a: [] }, { a: {} }), ['/a']);
    assert.deepEqual(paths(null, {}), ['']);
  });

  test('escapes slashes and tildes of keys', () => {
    assert.deepEqual(paths({ 'a/b~c': 1 }, {}), ['/a~1b~0c']);
  });

  test('tells no more paths than it may', () => {
    assert.deepEqual(paths([1, 2, 3], [4, 5, 6], 2), ['/0', '/1']);
  });
});
