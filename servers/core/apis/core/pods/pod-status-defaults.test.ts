import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { applyPodStatusDefaults } from './pod-status-defaults.ts';

// As kube-apiserver answers writes of a status.
const [fine, rounded] = ['9223372036854775807n', '9223372036855m'];

describe('applyPodStatusDefaults', () => {
  for (const list of ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses'])
    test(`rounds the amounts of ${list} up to thousandths`, () => {
      const status = { [list]: [{ allocatedResources: { a: fine }, resources: { limits: { a: fine } } }] };
      applyPodStatusDefaults(status);
      assert.deepEqual(status, {
        [list]: [{ allocatedResources: { a: rounded }, resources: { limits: { a: rounded } } }],
      });
    });

  test('rounds the amounts of the pod up to thousandths', () => {
    const status = { allocatedResources: { a: fine }, resources: { requests: { a: fine } } };
    applyPodStatusDefaults(status);
    assert.deepEqual(status, { allocatedResources: { a: rounded }, resources: { requests: { a: rounded } } });
  });

  test('keeps podIP equal to the first of podIPs, unless podIP differs', () => {
    const status = { podIP: '10.0.0.2', podIPs: [{ ip: '10.0.0.1' }] };
    applyPodStatusDefaults(status);
    assert.deepEqual(status, { podIP: '10.0.0.2', podIPs: [{ ip: '10.0.0.2' }] });
  });
});
