import assert from 'node:assert/strict';
import { test } from 'node:test';
import { negotiateDiscovery } from './negotiate-discovery.ts';

const v2 = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const v2beta1 = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';

test('what client-go sends gets the aggregated document', () => {
  assert.deepEqual(negotiateDiscovery(`${v2},${v2beta1},application/json`), {
    form: 'aggregated',
    version: 'v2',
    encoding: 'json',
    contentType: v2,
  });
});

test('v2beta1 is passed over unless it is switched on', () => {
  assert.deepEqual(negotiateDiscovery(`${v2beta1},application/json`), { form: 'legacy' });
  assert.equal(negotiateDiscovery(v2beta1, { betaType: true }).form, 'aggregated');
});

test('no header, a wildcard and plain JSON get the legacy document', () => {
  for (const accept of [undefined, '', '*/*', 'application/json', 'text/html,*/*;q=0.8']) {
    assert.deepEqual(negotiateDiscovery(accept), { form: 'legacy' });
  }
});

test('quality decides before the order of the clauses', () => {
  assert.deepEqual(negotiateDiscovery(`${v2};q=0.5,application/json`), { form: 'legacy' });
  const protobuf = v2.replace('json', 'vnd.kubernetes.protobuf');
  assert.deepEqual(negotiateDiscovery(`application/json;q=0.1,${protobuf};profile=nopeer`), {
    form: 'aggregated',
    version: 'v2',
    encoding: 'protobuf',
    contentType: protobuf,
  });
});
