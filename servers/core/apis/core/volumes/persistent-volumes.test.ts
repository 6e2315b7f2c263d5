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

  test('compares 20,000 node selector terms in linear time', () => {
    const volume = volumeOfTerms(Array.from({ length: 20_000 }, (_, at) => `k${at}`));
    const began = process.threadCpuUsage();
    assert.deepEqual(validateVolumeUpdate(volume, volume, defaultGates), []);
    const { user, system } = process.threadCpuUsage(began);
    // It grew with the square: more than a second for a body of 1 MB (objects/run.ts).
    assert.ok(user + system < 500_000, `${user + system} us`);
  });
});
