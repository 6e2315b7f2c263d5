import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { negotiateDiscovery } from './negotiate-discovery.ts';

const v2 = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const v2beta1 = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';

describe('negotiateDiscovery', () => {
  test('chooses the aggregated document for the Accept header of client-go', () => {
    assert.deepEqual(negotiateDiscovery(`${v2},${v2beta1},application/json`), {
      form: 'aggregated',
      version: 'v2',
      encoding: 'json',
      contentType: v2,
      isLocal: false,
    });
  });

  test('skips v2beta1 unless it is enabled', () => {
    assert.deepEqual(negotiateDiscovery(`${v2beta1},application/json`), { form: 'legacy' });
    assert.equal(negotiateDiscovery(v2beta1, { betaType: true }).form, 'aggregated');
  });

  test('chooses the legacy document without Accept, and for a wildcard or plain JSON', () => {
    for (const accept of [undefined, '', '*/*', 'application/json', 'text/html,*/*;q=0.8']) {
      assert.deepEqual(negotiateDiscovery(accept), { form: 'legacy' });
    }
  });

  test('prefers the clause of higher quality to the first one', () => {
    assert.deepEqual(negotiateDiscovery(`${v2};q=0.5,application/json`), { form: 'legacy' });
    const protobuf = v2.replace('json', 'vnd.kubernetes.protobuf');
    assert.deepEqual(negotiateDiscovery(`application/json;q=0.1,${protobuf};profile=nopeer`), {
      form: 'aggregated',
      version: 'v2',
      encoding: 'protobuf',
      contentType: protobuf,
      isLocal: true,
    });
  });
});
