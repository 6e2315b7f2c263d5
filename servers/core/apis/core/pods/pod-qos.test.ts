import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultGates } from '#servers/core/testing/default-dependencies.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { podQosClass } from './pod-qos.ts';

const pod = (...resources: JsonObject[]): JsonObject => ({
  containers: resources.map((item, index) => ({ name: `c${index}`, resources: item })),
});
const full = { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1', memory: '1Gi' } };

describe('podQosClass', () => {
  test('returns BestEffort for a pod without requests and limits', () => {
    assert.equal(podQosClass(pod({}, { requests: { cpu: '0' } }), defaultGates), 'BestEffort');
  });

  test('returns Guaranteed when every container has cpu and memory limits equal to its requests', () => {
    assert.equal(podQosClass(pod(full, full), defaultGates), 'Guaranteed');
    assert.equal(
      podQosClass(pod({ ...full, requests: { cpu: '1', memory: '1073741824' } }), defaultGates),
      'Guaranteed',
    );
  });

  test('returns Burstable for every other pod', () => {
    assert.equal(podQosClass(pod(full, {}), defaultGates), 'Burstable');
    assert.equal(podQosClass(pod({ requests: { cpu: '100m' } }), defaultGates), 'Burstable');
    assert.equal(podQosClass(pod({ ...full, requests: { cpu: '500m', memory: '1Gi' } }), defaultGates), 'Burstable');
    assert.equal(podQosClass(pod({ ...full, requests: { cpu: '0', memory: '1Gi' } }), defaultGates), 'Burstable');
  });
});
