import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createServiceResolver } from './resolve-service.ts';
import type { ServiceResolver } from './resolve-service.ts';
import type { EndpointSliceView, ServiceDirectory, ServiceView } from './service-directory.ts';

const base: ServiceView = {
  type: 'ClusterIP',
  clusterIP: '10.0.0.7',
  externalName: '',
  ipFamilies: ['IPv4'],
  ports: [{ name: 'web', port: 443 }],
};

function resolver(service: ServiceView | undefined, slices: readonly EndpointSliceView[] | undefined): ServiceResolver {
  const directory = { service: () => service, endpointSlices: () => slices ?? [] } as unknown as ServiceDirectory;
  return createServiceResolver(directory, slices !== undefined, () => '127.0.0.1:6443');
}

const reference = { namespace: 'default', name: 's', port: 443 };

describe('ServiceResolver', () => {
  test('resolves a Service to its clusterIP, and an ExternalName Service to its external name', () => {
    assert.equal(resolver(base, undefined)(reference), '10.0.0.7:443');
    assert.equal(resolver({ ...base, clusterIP: 'fd00::7' }, undefined)(reference), '[fd00::7]:443');
    assert.equal(
      resolver({ ...base, type: 'ExternalName', externalName: 'far.example' }, undefined)({ ...reference, port: 8443 }),
      'far.example:8443',
    );
  });

  test('prefers ready endpoints of the primary IP family when endpoint routing is on', () => {
    const slices = [
      { addressType: 'IPv6', ports: [{ name: 'web', port: 8443 }], ready: ['fd00::1'] },
      { addressType: 'IPv4', ports: [{ name: 'web', port: 8443 }], ready: ['192.0.2.1'] },
      { addressType: 'IPv4', ports: [{ name: 'other', port: 1 }], ready: ['192.0.2.2'] },
    ];
    for (let round = 0; round < 20; round++) assert.equal(resolver(base, slices)(reference), '192.0.2.1:8443');
    assert.equal(resolver(base, slices.slice(0, 1))(reference), '[fd00::1]:8443');
  });

  test('resolves default/kubernetes to the own address', () => {
    assert.equal(
      resolver(undefined, undefined)({ namespace: 'default', name: 'kubernetes', port: 443 }),
      '127.0.0.1:6443',
    );
  });

  test("throws the reference's message for a Service that cannot be routed to", () => {
    assert.throws(() => resolver(undefined, undefined)(reference), /service "s" not found/);
    assert.throws(
      () => resolver({ ...base, clusterIP: 'None' }, undefined)(reference),
      /cannot route to service with ClusterIP "None"/,
    );
    assert.throws(
      () => resolver(base, undefined)({ ...reference, port: 1 }),
      /no service port 1 found for service "s"/,
    );
    assert.throws(
      () => resolver({ ...base, type: 'ExternalName' }, [])(reference),
      /unsupported service type "ExternalName"/,
    );
    assert.throws(() => resolver(base, [])(reference), /no endpoints available for service "s"/);
  });
});
