import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StatusError } from '#shared/apimachinery/errors/status.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { markAsDeleting, prepareDelete } from './before-delete.ts';
import type { ObjectStore } from './object-store.ts';
import type { DeleteRequest } from './resource-store.ts';
import type { OperationContext } from './strategy.ts';

const nowMs = Date.parse('2026-01-01T00:00:00Z');
const context = { nowMs } as OperationContext;
const graceful = partsOf({ gracePeriodSeconds: (_object: KubeObject, requested?: number) => requested ?? 30 });

function partsOf(strategy: object): ObjectStore {
  return { strategy, kind: { group: '', kind: 'Pod' } } as unknown as ObjectStore;
}

function plan(object: KubeObject, request: DeleteRequest = {}, parts = graceful): unknown {
  return prepareDelete(parts, object, request, context);
}

const pod = (more: object = {}): KubeObject => asKubeObject({ metadata: { name: 'p', generation: 1, ...more } });
const deleting = (seconds: number, timestamp: string): KubeObject =>
  pod({ deletionGracePeriodSeconds: seconds, deletionTimestamp: timestamp });

describe('prepareDelete', () => {
  // What is asked and what follows are those of apiserver/pkg/registry/rest/delete.go and delete_test.go.
  test('deletes a resource without grace periods at once', () => {
    assert.deepEqual(plan(pod(), { gracePeriodSeconds: 10 }, partsOf({})), { kind: 'now' });
  });

  test('sets deletionTimestamp and raises the generation at the first request', () => {
    const object = pod();
    assert.deepEqual(plan(object), { kind: 'graceful', seconds: 30 });
    assert.deepEqual(object.metadata, {
      name: 'p',
      generation: 2,
      deletionTimestamp: '2026-01-01T00:00:30Z',
      deletionGracePeriodSeconds: 30,
    });
  });

  test('treats negative grace periods as one second', () => {
    assert.deepEqual(plan(pod(), { gracePeriodSeconds: -5 }), { kind: 'graceful', seconds: 1 });
  });

  test('lets a further request shorten the grace period, but not extend it', () => {
    const object = deleting(30, '2026-01-01T00:00:20Z');
    assert.deepEqual(plan(object, { gracePeriodSeconds: 60 }), { kind: 'pending' });
    assert.deepEqual(plan(object, {}), { kind: 'pending' });
    assert.deepEqual(plan(object, { gracePeriodSeconds: 15 }), { kind: 'graceful', seconds: 15 });
    assert.equal(object.metadata.deletionTimestamp, '2026-01-01T00:00:05Z');
    assert.equal(object.metadata.generation, 1, 'the generation counts the first request alone');
  });

  test('deletes now when the shortened grace period is already over', () => {
    const object = deleting(30, '2026-01-01T00:00:20Z');
    assert.deepEqual(plan(object, { gracePeriodSeconds: 5 }), { kind: 'graceful', seconds: 1 });
    assert.equal(object.metadata.deletionTimestamp, '2026-01-01T00:00:00Z');
    assert.deepEqual(plan(deleting(0, '2026-01-01T00:00:00Z'), {}), { kind: 'now' });
  });

  test('rejects preconditions that do not match with a conflict', () => {
    for (const [preconditions, text] of [
      [{ uid: 'a' }, 'the UID in the precondition (a) does not match the UID in record (u)'],
      [
        { resourceVersion: '1' },
        'the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (2)',
      ],
    ] as const)
      assert.throws(
        () => plan(pod({ uid: 'u', resourceVersion: '2' }), { preconditions }),
        ({ status }: StatusError) => status.code === 409 && (status.message ?? '').includes(text),
      );
    assert.deepEqual(plan(pod({ uid: 'u' }), { preconditions: { uid: 'u' } }), { kind: 'graceful', seconds: 30 });
  });
});

describe('markAsDeleting', () => {
  test('sets the grace period to zero, and raises the generation of an object that was not being deleted', () => {
    const object = deleting(30, '2026-01-01T00:00:20Z');
    markAsDeleting(object, context);
    assert.deepEqual(
      [object.metadata.deletionTimestamp, object.metadata.deletionGracePeriodSeconds, object.metadata.generation],
      ['2026-01-01T00:00:00Z', 0, 1],
    );
    const fresh = pod();
    markAsDeleting(fresh, context);
    assert.equal(fresh.metadata.generation, 2);
  });
});
