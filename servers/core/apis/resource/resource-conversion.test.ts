import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { claimConversion } from './claim-conversion.ts';
import { sliceConversion } from './slice-conversion.ts';

const claim: KubeObject = {
  metadata: { name: 'c' },
  spec: {
    devices: {
      requests: [
        { name: 'a', exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 2, adminAccess: false } },
        { name: 'b', firstAvailable: [{ name: 'big', deviceClassName: 'gpu' }] },
      ],
    },
  },
};

describe('resource.k8s.io/v1beta1 conversion', () => {
  test('moves the fields of an exact request to the request itself', () => {
    assert.deepEqual(claimConversion.fromStorage(cloneJson(claim))['spec'], {
      devices: {
        requests: [
          { name: 'a', deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 2, adminAccess: false },
          { name: 'b', firstAvailable: [{ name: 'big', deviceClassName: 'gpu' }] },
        ],
      },
    });
  });

  test('restores the stored claim after a round trip', () => {
    assert.deepEqual(claimConversion.toStorage(claimConversion.fromStorage(cloneJson(claim))), claim);
  });

  test('converts a request with only zero values to a request without "exactly"', () => {
    const v1beta1: KubeObject = {
      metadata: {},
      spec: { devices: { requests: [{ name: 'a', deviceClassName: '', count: 0 }] } },
    };
    assert.deepEqual(claimConversion.toStorage(v1beta1)['spec'], { devices: { requests: [{ name: 'a' }] } });
  });

  test('moves device fields other than the name below "basic"', () => {
    const slice: KubeObject = {
      metadata: { name: 's' },
      spec: { devices: [{ name: 'd', attributes: { a: { int: 1 } } }, { name: 'e' }] },
    };
    const served = sliceConversion.fromStorage(cloneJson(slice));
    assert.deepEqual(served['spec'], {
      devices: [
        { name: 'd', basic: { attributes: { a: { int: 1 } } } },
        { name: 'e', basic: {} },
      ],
    });
    assert.deepEqual(sliceConversion.toStorage(served), slice);
  });
});
