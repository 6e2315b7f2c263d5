import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { SendToCore } from './identity-lease.ts';
import { addAddress, removeAddress } from './service-addresses.ts';

const own = { ip: '192.0.2.5', port: 6443 };

/** A core server with these addresses behind the Service; undefined: without the objects. */
function core(addresses: readonly string[] | undefined, conflicts = 0) {
  const stored = new Map<string, KubeObject>();
  const metadata = { name: 'kubernetes', namespace: 'default', labels: { kept: 'yes' } };
  if (addresses !== undefined) {
    const subsets = addresses.length === 0 ? [] : [{ addresses: addresses.map((ip) => ({ ip })), ports: [] }];
    stored.set('endpoints', { kind: 'Endpoints', metadata, subsets });
    stored.set('endpointslices', { kind: 'EndpointSlice', metadata, endpoints: [] });
  }
  let left = conflicts;
  const written: string[] = [];
  const send: SendToCore = async (method, target, object) => {
    const resource = /(endpoints|endpointslices)(\/kubernetes)?$/.exec(target)?.[1] ?? '';
    if (method === 'GET') {
      const body = stored.get(resource);
      return body === undefined ? { status: 404, body: {} } : { status: 200, body };
    }
    if (left-- > 0) return { status: 409, body: {} };
    written.push(`${method} ${resource}`);
    stored.set(resource, object as KubeObject);
    return { status: method === 'POST' ? 201 : 200, body: object };
  };
  const served = (): unknown => {
    const [subset] = (stored.get('endpoints')?.['subsets'] ?? []) as { addresses: { ip: string }[] }[];
    return subset?.addresses;
  };
  return { send, written, stored, served };
}

describe('removeAddress', () => {
  test('an address among others, leaves those in both objects with their labels', async () => {
    const { send, stored, served } = core(['192.0.2.4', own.ip]);
    await removeAddress(send, own);
    assert.deepEqual(served(), [{ ip: '192.0.2.4' }]);
    assert.deepEqual(stored.get('endpointslices')?.['endpoints'], [
      { addresses: ['192.0.2.4'], conditions: { ready: true } },
    ]);
    assert.equal(stored.get('endpoints')?.metadata.labels?.['kept'], 'yes');
  });

  test('the last address, leaves neither subsets nor ports', async () => {
    const { send, stored } = core([own.ip]);
    await removeAddress(send, own);
    assert.deepEqual(stored.get('endpoints')?.['subsets'], []);
    assert.deepEqual([stored.get('endpointslices')?.['endpoints'], stored.get('endpointslices')?.['ports']], [[], []]);
  });

  test('a Service without endpoints, creates nothing', async () => {
    const { send, written } = core(undefined);
    await removeAddress(send, own);
    assert.deepEqual(written, []);
  });

  test('a write of another server in between, is repeated on what that server wrote', async () => {
    const { send, served } = core([own.ip, '192.0.2.6'], 1);
    await removeAddress(send, own);
    assert.deepEqual(served(), [{ ip: '192.0.2.6' }]);
  });
});

describe('addAddress', () => {
  test('a Service without endpoints, creates both objects', async () => {
    const { send, written } = core(undefined);
    await addAddress(send, own, 1);
    assert.deepEqual(written, ['POST endpoints', 'POST endpointslices']);
  });

  test('more addresses than servers, drops those behind the own one', async () => {
    const { send, served } = core(['192.0.2.4', '192.0.2.6', '192.0.2.7']);
    await addAddress(send, own, 2);
    assert.deepEqual(served(), [{ ip: '192.0.2.4' }, { ip: own.ip }]);
  });

  test('endpoints that are right, are not written again', async () => {
    const { send, written } = core(undefined);
    await addAddress(send, own, 1);
    written.length = 0;
    await addAddress(send, own, 1);
    assert.deepEqual(written, []);
  });
});
