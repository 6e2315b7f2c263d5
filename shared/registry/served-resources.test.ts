import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import { servedResources, type ServingChoice } from './served-resources.ts';

const facts = loadFacts();
const plain: ServingChoice = {
  runtimeConfig: {},
  gates: { isEnabled: () => false },
  emulation: '1.36',
  forwardCompatible: false,
  forwardCompatibleByName: false,
};

function served(choice: Partial<ServingChoice>): { has(name: string): boolean; readonly errors: readonly string[] } {
  const found = servedResources(facts, { ...plain, ...choice });
  return {
    errors: found.errors,
    has(name) {
      const [group = '', version = '', resource = ''] = name.split('/');
      return found.has({ group, version, resource });
    },
  };
}

describe('servedResources', () => {
  test('leaves out beta versions unless they are enabled', () => {
    assert.equal(served({}).has('resource.k8s.io/v1beta2/resourceclaims'), false);
    assert.equal(served({ runtimeConfig: { 'api/beta': 'true' } }).has('resource.k8s.io/v1beta2/resourceclaims'), true);
  });

  test('leaves out a single resource that is disabled in an enabled version', () => {
    const some = served({
      runtimeConfig: { 'resource.k8s.io/v1beta2': 'true', 'resource.k8s.io/v1beta2/resourceslices': 'false' },
    });
    assert.equal(some.has('resource.k8s.io/v1beta2/resourceclaims'), true);
    assert.equal(some.has('resource.k8s.io/v1beta2/resourceslices'), false);
  });

  test('serves a gated resource only when its version and its feature gate are enabled', () => {
    const choice = { runtimeConfig: { 'api/all': 'true' } };
    assert.equal(served(choice).has('scheduling.k8s.io/v1alpha2/workloads'), false);
    assert.equal(
      served({ ...choice, gates: { isEnabled: (gate) => gate === 'GenericWorkload' } }).has(
        'scheduling.k8s.io/v1alpha2/workloads',
      ),
      true,
    );
  });

  test('leaves out resources introduced after the emulated release unless forward compatible', () => {
    const choice = { emulation: '1.33', runtimeConfig: { 'resource.k8s.io/v1beta2': 'true' } } as const;
    assert.equal(served(choice).has('resource.k8s.io/v1/resourceclaims'), false);
    assert.equal(served({ ...choice, forwardCompatible: true }).has('resource.k8s.io/v1/resourceclaims'), true);
  });

  test('rejects enabling a later version by name unless that is allowed', () => {
    const choice = { emulation: '1.33', runtimeConfig: { 'resource.k8s.io/v1': 'true' } } as const;
    assert.deepEqual(served(choice).errors, [
      'cannot enable version resource.k8s.io/v1 in runtime-config because all the resources have been introduced after the current version 1.33. Consider setting --runtime-config-emulation-forward-compatible=true',
    ]);
    const allowed = served({ ...choice, forwardCompatibleByName: true });
    assert.deepEqual(allowed.errors, []);
    assert.equal(allowed.has('resource.k8s.io/v1/resourceclaims'), true);
  });

  test('serves a removed resource only in a release that had it', () => {
    const name = 'admissionregistration.k8s.io/v1beta1/validatingadmissionpolicies';
    const runtimeConfig = { 'api/all': 'true' };
    assert.equal(served({ runtimeConfig, emulation: '1.33' }).has(name), true);
    assert.equal(served({ runtimeConfig, emulation: '1.34', forwardCompatible: true }).has(name), false);
    assert.equal(served({ runtimeConfig }).has(name), false);
  });
});
