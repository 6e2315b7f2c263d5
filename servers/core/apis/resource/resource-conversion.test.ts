import assert from 'node:assert/strict';
import { test } from 'node:test';
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

test('v1beta1 has an exact request flat', () => {
  assert.deepEqual(claimConversion.fromStorage(cloneJson(claim))['spec'], {
    devices: {
      requests: [
        { name: 'a', deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 2, adminAccess: false },
        { name: 'b', firstAvailable: [{ name: 'big', deviceClassName: 'gpu' }] },
      ],
    },
  });
});

test('claims come back as they went', () => {
  assert.deepEqual(claimConversion.toStorage(claimConversion.fromStorage(cloneJson(claim))), claim);
});

test('a request with nothing set is not an exact one', () => {
  const v1beta1: KubeObject = {
    metadata: {},
    spec: { devices: { requests: [{ name: 'a', deviceClassName: '', count: 0 }] } },
  };
  assert.deepEqual(claimConversion.toStorage(v1beta1)['spec'], { devices: { requests: [{ name: 'a' }] } });
});

test('v1beta1 has all of a device but its name below "basic"', () => {
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
