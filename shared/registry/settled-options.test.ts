import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { settledOptions } from './settled-options.ts';

const stored: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', uid: 'u' } };
const ending: KubeObject = { ...stored, metadata: { ...stored.metadata, deletionTimestamp: '2026-01-02T03:04:05Z' } };

// As webhooks of the reference saw the options of deletions (test/conformance/webhooks).
describe('settled options of a deletion', () => {
  test('have the grace period of the strategy where the client asked for none', () => {
    assert.deepEqual(settledOptions({}, stored, { kind: 'graceful', seconds: 0 }, false), { gracePeriodSeconds: 0 });
  });

  test('keep what the client asked for where the object is being deleted already', () => {
    assert.deepEqual(settledOptions({ gracePeriodSeconds: 3 }, ending, { kind: 'graceful', seconds: 1 }, false), {});
  });

  test('have one second for a negative grace period', () => {
    assert.deepEqual(settledOptions({ gracePeriodSeconds: -5 }, stored, { kind: 'now' }, false), {
      gracePeriodSeconds: 1,
    });
  });

  test('have the uid of what is deleted in place', () => {
    assert.deepEqual(settledOptions({ gracePeriodSeconds: -5 }, stored, undefined, true), {
      preconditions: { uid: 'u' },
    });
  });
});
