import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deletionFinalizers } from './deletion-finalizers.ts';
import type { DeleteRequest } from './resource-store.ts';

type Policy = Parameters<typeof deletionFinalizers>[2];

const after = (finalizers: readonly string[], request: DeleteRequest, policy?: Policy): readonly string[] =>
  deletionFinalizers({ finalizers: [...finalizers] }, request, policy).finalizers;

describe('deletionFinalizers', () => {
  // In falling rank, as apiserver/pkg/registry/generic/registry/store.go has it (shouldOrphanDependents,
  // shouldDeleteDependents, deletionFinalizersForGarbageCollection).
  test("follows the request's propagationPolicy or orphanDependents", () => {
    assert.deepEqual(after(['a/b'], { propagationPolicy: 'Orphan' }), ['a/b', 'orphan']);
    assert.deepEqual(after(['a/b'], { propagationPolicy: 'Foreground' }), ['a/b', 'foregroundDeletion']);
    assert.deepEqual(after(['orphan', 'a/b'], { propagationPolicy: 'Background' }), ['a/b']);
    assert.deepEqual(after(['foregroundDeletion'], { orphanDependents: true }), ['orphan']);
    assert.deepEqual(after(['orphan'], { orphanDependents: false }, 'orphan'), []);
  });

  test("follows existing finalizers, then the resource's default, when the request does not say", () => {
    assert.deepEqual(after(['orphan'], {}), ['orphan']);
    assert.deepEqual(after(['foregroundDeletion'], {}, 'orphan'), ['foregroundDeletion']);
    assert.deepEqual(after([], {}, 'orphan'), ['orphan']);
    assert.deepEqual(after([], {}), []);
  });

  test('removes its finalizers where dependents are unsupported, and keeps all when collection is disabled', () => {
    assert.deepEqual(after(['orphan', 'a/b'], { propagationPolicy: 'Orphan' }, 'unsupported'), ['a/b']);
    assert.deepEqual(after(['orphan'], { propagationPolicy: 'Foreground' }, 'disabled'), ['orphan']);
  });

  test('reports a change only when the set of finalizers changes', () => {
    const same = deletionFinalizers({ finalizers: ['orphan', 'a/b'] }, { propagationPolicy: 'Orphan' }, undefined);
    assert.deepEqual(same, { changed: false, finalizers: ['orphan', 'a/b'] });
    assert.equal(deletionFinalizers({}, { propagationPolicy: 'Orphan' }, undefined).changed, true);
  });
});
