import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { packEntries } from './packed-entries.ts';
import type { CacheEntry } from './watch-cache.ts';

function entry(name: string, json: string, rest: Partial<CacheEntry> = {}): CacheEntry {
  const key = `/things/a/${name}`;
  return {
    key,
    namespace: 'a',
    name,
    revision: 7,
    json: Buffer.from(json),
    labels: { name },
    fields: undefined,
    ...rest,
  };
}

describe('packEntries', () => {
  test('gives equal entries in the same order, whichever is read first', () => {
    const entries = [
      entry('a', '{"text":"ü\\"\\u0000"}'),
      entry('b', '', { fields: { 'spec.nodeName': 'n' }, storedBytes: 5 }),
      entry('c', `{"text":"${'x'.repeat(100_000)}"}`, { apiVersion: 'g/v1', isOutdated: true }),
    ];
    const packed = packEntries(entries);
    for (const at of [2, 0, 1]) {
      const expected = { storedBytes: 0, apiVersion: undefined, isOutdated: undefined, ...entries[at] };
      assert.deepEqual({ ...packed[at], json: packed[at]?.json }, expected);
    }
  });
});
