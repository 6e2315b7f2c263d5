import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../../../shared/apimachinery/json.ts';
import { podQosClass } from './pod-qos.ts';

const pod = (...resources: JsonObject[]): JsonObject => ({
  containers: resources.map((item, index) => ({ name: `c${index}`, resources: item })),
});
const full = { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1', memory: '1Gi' } };

test('a pod that asks for nothing is BestEffort', () => {
  assert.equal(podQosClass(pod({}, { requests: { cpu: '0' } })), 'BestEffort');
});

test('a pod is Guaranteed when each container has limits of both kinds and asks for no less', () => {
  assert.equal(podQosClass(pod(full, full)), 'Guaranteed');
  assert.equal(podQosClass(pod({ ...full, requests: { cpu: '1', memory: '1073741824' } })), 'Guaranteed');
});

test('every other pod is Burstable', () => {
  assert.equal(podQosClass(pod(full, {})), 'Burstable');
  assert.equal(podQosClass(pod({ requests: { cpu: '100m' } })), 'Burstable');
  assert.equal(podQosClass(pod({ ...full, requests: { cpu: '500m', memory: '1Gi' } })), 'Burstable');
  assert.equal(podQosClass(pod({ ...full, requests: { cpu: '0', memory: '1Gi' } })), 'Burstable');
});
