import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultGates } from '#servers/core/testing/default-parts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { podQosClass } from './pod-qos.ts';

const pod = (...resources: JsonObject[]): JsonObject => ({
  containers: resources.map((item, index) => ({ name: `c${index}`, resources: item })),
});
const full = { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1', memory: '1Gi' } };

test('a pod that asks for nothing is BestEffort', () => {
  assert.equal(podQosClass(pod({}, { requests: { cpu: '0' } }), defaultGates), 'BestEffort');
});

test('a pod is Guaranteed when each container has limits of both kinds and asks for no less', () => {
  assert.equal(podQosClass(pod(full, full), defaultGates), 'Guaranteed');
  assert.equal(podQosClass(pod({ ...full, requests: { cpu: '1', memory: '1073741824' } }), defaultGates), 'Guaranteed');
});

test('every other pod is Burstable', () => {
  assert.equal(podQosClass(pod(full, {}), defaultGates), 'Burstable');
  assert.equal(podQosClass(pod({ requests: { cpu: '100m' } }), defaultGates), 'Burstable');
  assert.equal(podQosClass(pod({ ...full, requests: { cpu: '500m', memory: '1Gi' } }), defaultGates), 'Burstable');
  assert.equal(podQosClass(pod({ ...full, requests: { cpu: '0', memory: '1Gi' } }), defaultGates), 'Burstable');
});
