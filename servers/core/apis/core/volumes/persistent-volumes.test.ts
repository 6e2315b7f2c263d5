import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultGates } from '#servers/core/testing/default-dependencies.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { validateVolumeUpdate } from './validation/persistent-volume-validation.ts';

function volumeOfTerms(keys: readonly string[]): KubeObject {
  const nodeSelectorTerms = keys.map((key) => ({ matchExpressions: [{ key, operator: 'Exists' }] }));
  return asKubeObject({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'a' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      local: { path: '/a' },
      nodeAffinity: { required: { nodeSelectorTerms } },
    },
  });
}

describe('validateVolumeUpdate', () => {
  test('allows beta labels in node affinity to change to their stable names only', () => {
    const old = volumeOfTerms(['a', 'beta.kubernetes.io/os']);
    assert.deepEqual(validateVolumeUpdate(volumeOfTerms(['a', 'kubernetes.io/os']), old, defaultGates), []);
    assert.deepEqual(
      validateVolumeUpdate(volumeOfTerms(['b', 'kubernetes.io/os']), old, defaultGates).map(({ field }) => field),
      ['nodeAffinity'],
    );
  });

  test('accepts an unchanged update of 20,000 node selector terms', () => {
    const volume = volumeOfTerms(Array.from({ length: 20_000 }, (_, at) => `k${at}`));
    assert.deepEqual(validateVolumeUpdate(volume, volume, defaultGates), []);
  });
});
