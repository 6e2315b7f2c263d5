import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPriorityLevel } from './priority-level-configuration.ts';

test('readPriorityLevel, an object that contradicts itself, gives undefined', () => {
  const of = (name: string, spec: Record<string, string | object>): unknown =>
    readPriorityLevel({ metadata: { name }, spec } as Parameters<typeof readPriorityLevel>[0]);
  assert.equal(of('a', { type: 'Limited' }), undefined);
  assert.equal(of('a', { type: 'Exempt', exempt: {} }), undefined);
  assert.equal(of('a', { type: 'Limited', limited: { limitResponse: { type: 'Queue' } } }), undefined);
  assert.notEqual(of('a', { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } }), undefined);
  assert.notEqual(of('exempt', { type: 'Exempt', exempt: {} }), undefined);
});
