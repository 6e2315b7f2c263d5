import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadFacts } from './load-facts.ts';
import { storedFor } from './storage-versions.ts';

const facts = loadFacts();

test('by default everything is stored as the facts say', () => {
  assert.equal(storedFor(facts, '1.35'), facts);
});

test('what an older release must read is stored in a version that it knows', () => {
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
