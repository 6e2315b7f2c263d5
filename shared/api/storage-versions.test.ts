import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from './load-facts.ts';
import { storedFor } from './storage-versions.ts';

const facts = loadFacts();

describe('storedFor', () => {
  test('returns the same facts for the default minimum release', () => {
    assert.equal(storedFor(facts, '1.35'), facts);
  });

  test('stores resources in a version that the minimum release can read', () => {
    const older = storedFor(facts, '1.33');
    const deviceClasses = older.resource('resource.k8s.io', 'v1', 'deviceclasses');
    assert.equal(deviceClasses?.storageVersion, 'resource.k8s.io/v1beta2');
    // As the reference shows it with --emulated-version=1.34.
    assert.equal(deviceClasses.storageVersionHash, 'weQRMT6DeYM=');
    assert.equal(
      older.resource('admissionregistration.k8s.io', 'v1', 'mutatingadmissionpolicies')?.storageVersion,
      'admissionregistration.k8s.io/v1beta1',
    );
    assert.equal(older.byKind('resource.k8s.io', 'v1', 'DeviceClass'), deviceClasses);
    assert.equal(
      older.resource('', 'v1', 'pods')?.storageVersionHash,
      facts.resource('', 'v1', 'pods')?.storageVersionHash,
    );
  });
});
