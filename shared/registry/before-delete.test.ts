import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StatusError } from '#shared/apimachinery/errors/status.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import type { Int64 } from '#shared/apimachinery/values/int64.ts';
import { markAsDeleting, prepareDelete } from './before-delete.ts';
import type { ObjectStore } from './object-store.ts';
import type { DeleteRequest } from './resource-store.ts';
import type { OperationContext } from './strategy.ts';

const nowMs = Date.parse('2026-01-01T00:00:00Z');
const context = { nowMs } as OperationContext;
const graceful = partsOf({ gracePeriodSeconds: (_object: KubeObject, requested?: Int64) => requested ?? 30 });

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

  // What kube-apiserver answered at that time: Go's Duration of nanoseconds wraps around.
  for (const { seconds, due } of [
    { seconds: 8_640_000_000_000, due: '2246-04-25T06:24:59Z' },
    { seconds: 253_402_300_800, due: '1873-02-24T05:56:03Z' },
  ])
    test(`sets a deletionTimestamp of ${due} for a grace period of ${seconds} s, which can be shortened`, () => {
      const object = pod({ generation: 9_007_199_254_740_993n });
      const now = { nowMs: Date.parse('2026-11-27T23:59:55.500Z') } as OperationContext;
      prepareDelete(graceful, object, { gracePeriodSeconds: seconds }, now);
      assert.equal(object.metadata.deletionTimestamp, due);
      assert.equal(object.metadata.generation, 9_007_199_254_740_994n);
      prepareDelete(graceful, object, { gracePeriodSeconds: 5 }, now);
      assert.equal(object.metadata.deletionGracePeriodSeconds, 5);
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

  // As kube-apiserver answered.
  for (const [generation, next] of [
    [9_007_199_254_740_991, 9_007_199_254_740_992n],
    [9_007_199_254_740_993n, 9_007_199_254_740_994n],
    [9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n],
  ] as const)
    test(`raises the generation ${generation} to ${next}`, () => {
      const object = pod({ generation });
      markAsDeleting(object, context);
      assert.equal(object.metadata.generation, next);
    });
});
