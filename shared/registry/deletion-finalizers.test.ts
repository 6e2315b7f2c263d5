import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deletionFinalizers } from './deletion-finalizers.ts';
import type { DeleteRequest } from './resource-store.ts';

type Policy = Parameters<typeof deletionFinalizers>[2];

const after = (finalizers: readonly string[], request: DeleteRequest, policy?: Policy): readonly string[] =>
  deletionFinalizers({ finalizers: [...finalizers] }, request, policy).finalizers;

// In falling rank, as apiserver/pkg/registry/generic/registry/store.go has it (shouldOrphanDependents,
// shouldDeleteDependents, deletionFinalizersForGarbageCollection).
test('the request says what becomes of dependents', () => {
  assert.deepEqual(after(['a/b'], { propagationPolicy: 'Orphan' }), ['a/b', 'orphan']);
  assert.deepEqual(after(['a/b'], { propagationPolicy: 'Foreground' }), ['a/b', 'foregroundDeletion']);
  assert.deepEqual(after(['orphan', 'a/b'], { propagationPolicy: 'Background' }), ['a/b']);
  assert.deepEqual(after(['foregroundDeletion'], { orphanDependents: true }), ['orphan']);
  assert.deepEqual(after(['orphan'], { orphanDependents: false }, 'orphan'), []);
});

test('without a word the finalizers that are there decide, then the default of the resource', () => {
  assert.deepEqual(after(['orphan'], {}), ['orphan']);
  assert.deepEqual(after(['foregroundDeletion'], {}, 'orphan'), ['foregroundDeletion']);
  assert.deepEqual(after([], {}, 'orphan'), ['orphan']);
  assert.deepEqual(after([], {}), []);
});

test('a resource without dependents loses both, and without a collector nothing changes', () => {
  assert.deepEqual(after(['orphan', 'a/b'], { propagationPolicy: 'Orphan' }, 'unsupported'), ['a/b']);
  assert.deepEqual(after(['orphan'], { propagationPolicy: 'Foreground' }, 'disabled'), ['orphan']);
});

test('what stays the same is no change, in whatever order', () => {
  const same = deletionFinalizers({ finalizers: ['orphan', 'a/b'] }, { propagationPolicy: 'Orphan' }, undefined);
  assert.deepEqual(same, { changed: false, finalizers: ['orphan', 'a/b'] });
  assert.equal(deletionFinalizers({}, { propagationPolicy: 'Orphan' }, undefined).changed, true);
});
