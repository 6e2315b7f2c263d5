import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { eventConversion } from './event-conversion.ts';

const stored: KubeObject = {
  metadata: { name: 'e', namespace: 'n' },
  involvedObject: { kind: 'Pod', name: 'p' },
  message: 'm',
  source: { component: 'c' },
  reportingComponent: 'a.b/c',
  reason: 'R',
  type: 'Normal',
  count: 2,
  firstTimestamp: '2024-01-01T00:00:00Z',
  lastTimestamp: '2024-01-02T00:00:00Z',
};

describe('eventConversion', () => {
  test('renames fields of a core event for events.k8s.io', () => {
    assert.deepEqual(eventConversion.fromStorage(cloneJson(stored)), {
      metadata: { name: 'e', namespace: 'n' },
      regarding: { kind: 'Pod', name: 'p' },
      note: 'm',
      deprecatedSource: { component: 'c' },
      reportingController: 'a.b/c',
      reason: 'R',
      type: 'Normal',
      deprecatedCount: 2,
      deprecatedFirstTimestamp: '2024-01-01T00:00:00Z',
      deprecatedLastTimestamp: '2024-01-02T00:00:00Z',
    });
  });

  test('restores the stored event after a round trip through events.k8s.io', () => {
    assert.deepEqual(eventConversion.toStorage(eventConversion.fromStorage(cloneJson(stored))), stored);
  });
});
