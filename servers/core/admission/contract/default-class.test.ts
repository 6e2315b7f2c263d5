import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultClass } from './default-class.ts';

describe('defaultClass', () => {
  test('returns the newest of several default classes, and of equally old ones the first by name', () => {
    const made = (
      name: string,
      creationTimestamp: string,
      value = 'true',
    ): { metadata: { name: string; creationTimestamp: string; annotations: Record<string, string> } } => ({
      metadata: { name, creationTimestamp, annotations: { d: value } },
    });
    const classes = [
      made('old', '2026-01-01T00:00:00Z'),
      made('b', '2026-01-02T00:00:00Z'),
      made('a', '2026-01-02T00:00:00Z'),
      made('no', '2026-01-03T00:00:00Z', 'false'),
    ];
    assert.equal(defaultClass(classes, 'd')?.metadata.name, 'a');
    assert.equal(defaultClass(classes, 'other'), undefined);
  });
});
